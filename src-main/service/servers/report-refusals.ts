/** Why servers take no reports of this bench, by their base URLs; forgotten at the end, because they are asked again at the start. */
export class ReportRefusals {
  readonly #messages = new Map<string, string>();

  /** Null for a server that takes reports, or was not asked. */
  of(baseUrl: string): string | null {
    return this.#messages.get(baseUrl) ?? null;
  }

  /** @returns whether it is another message than before. */
  set(baseUrl: string, message: string | null): boolean {
    if (this.of(baseUrl) === message) return false;
    if (message === null) this.#messages.delete(baseUrl);
    else this.#messages.set(baseUrl, message);
    return true;
  }
}
