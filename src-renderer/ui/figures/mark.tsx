/** The logo: a docking port seen from the front. */
export function Mark({ size = 20 }: { readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" fill="none" aria-hidden="true">
      <rect x="3" y="3" width="26" height="26" rx="7" stroke="currentColor" strokeWidth="3" />
      <rect x="9" y="16.5" width="14" height="5" rx="2.5" fill="currentColor" />
      <circle cx="16" cy="11" r="2" fill="currentColor" />
    </svg>
  );
}
