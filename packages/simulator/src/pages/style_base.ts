/** Colours, type and parts of all pages. Every pair of colours is at least WCAG AA. */
export const BASE_STYLE = `
:root {
  color-scheme: light dark;
  --paper: light-dark(#f8f4ee, #151210);
  --sheet: light-dark(#ffffff, #1f1a17);
  --sunk: light-dark(#f1ebe3, #2a2420);
  --ink: light-dark(#1f1a17, #f3ebe3);
  --soft: light-dark(#5f554d, #b9ada1);
  --line: light-dark(#ddd3c8, #3d352f);
  --edge: light-dark(#8d7f73, #80746a);
  --accent: light-dark(#a8431f, #f2a07a);
  --on-accent: light-dark(#ffffff, #2a0f04);
  --danger: light-dark(#a11d1d, #ff9d94);
  --good: light-dark(#14532d, #9be3b3);
  --good-sheet: light-dark(#dff1e4, #143522);
  --warn: light-dark(#663f00, #ffd489);
  --warn-sheet: light-dark(#fcebc8, #3f2d08);
  --bad: light-dark(#8a1c1c, #ffb4ab);
  --bad-sheet: light-dark(#fbe0de, #471614);
  --open: light-dark(#1d3a73, #b4cdff);
  --open-sheet: light-dark(#e0e9f8, #1b2c4d);
  --back: light-dark(#4f2683, #dcc2ff);
  --back-sheet: light-dark(#ede2f8, #351f52);
  --mono: ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace;
}
* { box-sizing: border-box; }
html { font: 16px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif; }
body { margin: 0; background: var(--paper); color: var(--ink); }
h1, h2, p, ul, ol, dl, dd, pre { margin: 0; }
h1 { font-size: 1.75rem; line-height: 1.2; letter-spacing: -0.015em; margin-bottom: 1rem; }
h1.id { overflow-wrap: anywhere; margin-bottom: 0.25rem; }
h2 { font-size: 1.1rem; margin: 2rem 0 0.75rem; }
a { color: var(--accent); text-underline-offset: 0.2em; }
code, pre, output { font-family: var(--mono); font-size: 0.92em; }
code { overflow-wrap: anywhere; }
pre { background: var(--sunk); padding: 0.75rem 1rem; border-radius: 8px; overflow-x: auto; max-height: 26rem; }
pre code { overflow-wrap: normal; }
time { font-variant-numeric: tabular-nums; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
[hidden] { display: none !important; }
.sr { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: -999rem; }
.skip:focus { left: 1rem; top: 1rem; z-index: 2; background: var(--sheet); padding: 0.5rem 1rem; }
.quiet { color: var(--soft); }
.center { text-align: center; }
.label { color: var(--soft); font-size: 0.85rem; }

button, .button {
  font: inherit; font-weight: 550; line-height: 1.25; color: var(--ink); background: var(--sheet);
  border: 1px solid var(--edge); border-radius: 8px; padding: 0.5rem 0.9rem; cursor: pointer;
  text-decoration: none; display: inline-flex; align-items: center; justify-content: center; gap: 0.35rem;
  white-space: nowrap; min-height: 2.5rem;
}
button:hover, .button:hover { border-color: var(--ink); background: var(--sunk); }
button.primary { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
button.primary:hover { filter: brightness(1.1); }
button.danger { color: var(--danger); border-color: currentColor; }
button.wide { width: 100%; padding: 0.9rem; font-size: 1.1rem; }
button.small, .button.small { padding: 0.25rem 0.7rem; min-height: 2rem; font-size: 0.88rem; }
button.copy { padding: 0.25rem 0.7rem; min-height: 2rem; font-size: 0.85rem; }
input, select {
  font: inherit; color: var(--ink); background: var(--sheet); border: 1px solid var(--edge);
  border-radius: 8px; padding: 0.45rem 0.7rem; min-height: 2.5rem; max-width: 100%;
}
input[type='checkbox'] { min-height: 0; width: 1.1rem; height: 1.1rem; accent-color: var(--accent); }
::placeholder { color: var(--soft); opacity: 1; }
label { display: grid; gap: 0.25rem; font-size: 0.85rem; color: var(--soft); }
label input, label select { font-size: 1rem; }
label.check { display: flex; align-items: center; gap: 0.5rem; min-height: 2.5rem; }
.actions { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center; }
.actions > form { display: flex; gap: 0.35rem; }
.actions .inline input { width: 8rem; }

.pill {
  display: inline-block; font: 600 0.8rem/1.5 var(--mono); padding: 0.05rem 0.55rem;
  border-radius: 99px; white-space: nowrap; background: var(--sunk); color: var(--soft);
}
.pill.good { background: var(--good-sheet); color: var(--good); }
.pill.warn { background: var(--warn-sheet); color: var(--warn); }
.pill.bad { background: var(--bad-sheet); color: var(--bad); }
.pill.open { background: var(--open-sheet); color: var(--open); }
.pill.back { background: var(--back-sheet); color: var(--back); }
.notice { padding: 0.6rem 1rem; border-radius: 8px; margin-bottom: 1rem; }
.notice.good { background: var(--good-sheet); color: var(--good); }
.notice.bad { background: var(--bad-sheet); color: var(--bad); }
.banner { background: var(--warn-sheet); color: var(--warn); padding: 0.5rem 1.25rem; border-bottom: 1px solid var(--line); }
.banner a { color: inherit; margin-left: 0.5rem; }
.empty { color: var(--soft); padding: 1.5rem; text-align: center; border: 1px dashed var(--line); border-radius: 12px; }

.top { display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 1rem; padding: 0.6rem 1.25rem; background: var(--sheet); border-bottom: 1px solid var(--line); }
.brand { display: flex; align-items: center; gap: 0.5rem; color: var(--ink); text-decoration: none; font-size: 1.05rem; white-space: nowrap; }
.brand b { font-weight: 400; color: var(--soft); }
.logo { width: 1.9rem; height: 1.9rem; fill: var(--accent); }
.corner { margin-left: auto; display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; align-items: center; font-size: 0.82rem; }
.clock span:first-child { color: var(--good); }
.clock { color: var(--ink); text-decoration: none; }
.clock:hover { text-decoration: underline; }
.switch { white-space: nowrap; }
.top nav ul, .tabs ul { list-style: none; display: flex; flex-wrap: wrap; padding: 0; gap: 0.15rem; }
.top nav a, .tabs a { display: block; font-size: 0.92rem; padding: 0.4rem 0.45rem; border-radius: 8px; text-decoration: none; color: var(--ink); }
.top nav a:hover, .tabs a:hover { background: var(--sunk); }
.top nav [aria-current], .tabs [aria-current] { background: var(--sunk); color: var(--accent); font-weight: 650; }
`
