/** Saves a text as a file: in a browser among the downloads, in the window where its user chooses. */
export function saveText(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download has its own hold on the text by the next turn.
  setTimeout(() => URL.revokeObjectURL(url), 0);
}
