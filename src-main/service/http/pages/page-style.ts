/**
 * The stylesheet of the pages that the service renders itself, with the values of
 * src-renderer/ui/styles/tokens.css.
 */
export const pageStyle = `:root {
  color-scheme: light dark;
  --bg: #f6f7f8; --surface: #ffffff; --line: #e3e6e9; --line-strong: #c9ced4;
  --text: #16191d; --muted: #565f69; --accent: #0b6bcb; --accent-text: #ffffff; --bad: #c0352b; --warn: #9a6700;
}
@media (prefers-color-scheme: dark) {
  :root {
    --bg: #131518; --surface: #1a1d21; --line: #2b3036; --line-strong: #3c434b;
    --text: #e8ebee; --muted: #a3acb6; --accent: #58a6ff; --accent-text: #0b1220; --bad: #ff7b72; --warn: #e0a53c;
  }
}
* { box-sizing: border-box; }
html { background: var(--bg); color: var(--text); font: 13px/1.5 system-ui, sans-serif; font-variant-numeric: tabular-nums; }
body { margin: 0; }
a { color: var(--accent); }
a:focus-visible, button:focus-visible, input:focus-visible, summary:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 6px; }
code, pre { font: 12.5px/1.5 ui-monospace, monospace; }
h1 { font-size: 20px; line-height: 1.3; margin: 0 0 16px; font-weight: 600; }
h2 { font-size: 15px; margin: 32px 0 8px; font-weight: 600; }
p { margin: 0 0 12px; }
.muted { color: var(--muted); font-size: 12px; }
.mark { display: block; width: 40px; height: 40px; color: var(--accent); margin: 0 0 16px; }

.centred { min-height: 100vh; display: grid; place-items: center; padding: 16px; }
.panel { width: 100%; max-width: 360px; background: var(--surface); border: 1px solid var(--line); border-radius: 8px; padding: 32px 24px 24px; }
.panel > :last-child { margin-bottom: 0; }
label { display: block; margin: 0 0 4px; }
input { display: block; width: 100%; height: 36px; margin: 0 0 16px; padding: 0 8px; font: inherit; color: var(--text); background: var(--bg);
  border: 1px solid var(--line-strong); border-radius: 6px; }
button { display: block; width: 100%; height: 36px; font: inherit; font-weight: 600; color: var(--accent-text); background: var(--accent); border: 0; border-radius: 6px; cursor: pointer; }
button.secondary { color: var(--text); background: transparent; border: 1px solid var(--line-strong); }
.ways { display: grid; gap: 12px; margin: 0 0 12px; }
.ways .muted { margin: 0; }
.ways [hidden], .ways .muted:empty { display: none; }
.failure { margin: 0 0 16px; padding: 8px 12px; border: 1px solid var(--bad); border-radius: 6px; color: var(--bad); }

.panel h2 { font-size: 13px; margin: 16px 0 4px; }
.name { font-weight: 600; overflow-wrap: anywhere; }
.scopes { list-style: none; margin: 0 0 16px; padding: 0; border: 1px solid var(--line); border-radius: 6px; }
.scopes li { display: flex; justify-content: space-between; align-items: baseline; gap: 12px; padding: 8px 12px; }
.scopes li + li { border-top: 1px solid var(--line); }
.scopes code { color: var(--muted); white-space: nowrap; }
.facts { display: grid; grid-template-columns: max-content 1fr; gap: 4px 12px; margin: 0 0 16px; }
.facts dt { color: var(--muted); }
.facts dd { margin: 0; min-width: 0; overflow-wrap: anywhere; }
.caution { padding-left: 12px; border-left: 2px solid var(--warn); }
.decide { display: grid; grid-template-columns: 1fr 1fr; gap: 8px; margin: 16px 0 12px; }
@media (hover: hover) { .decide:hover button { animation: arm 500ms step-end; } }
@keyframes arm { from { pointer-events: none; } }

.document { max-width: 960px; margin: 0 auto; padding: 32px 16px; }
.document nav { columns: 3 200px; margin: 0 0 16px; }
.document nav a { display: block; padding: 4px 0; min-height: 24px; box-sizing: border-box; }
.document p a, .document td a { display: inline-block; min-height: 24px; line-height: 24px; }
.operation { background: var(--surface); border: 1px solid var(--line); border-radius: 8px; margin: 0 0 8px; }
.operation summary { padding: 8px 12px; cursor: pointer; display: flex; flex-wrap: wrap; gap: 4px 12px; align-items: baseline; }
.operation summary > span:last-child { color: var(--muted); }
.operation > div { padding: 4px 12px 12px; border-top: 1px solid var(--line); overflow-x: auto; }
.method { display: inline-block; min-width: 52px; font: 600 12px/1.5 ui-monospace, monospace; color: var(--accent); }
table { border-collapse: collapse; width: 100%; margin: 4px 0 12px; }
th, td { text-align: left; vertical-align: top; padding: 4px 12px 4px 0; border-bottom: 1px solid var(--line); }
th { font-weight: 500; color: var(--muted); font-size: 12px; }
`;
