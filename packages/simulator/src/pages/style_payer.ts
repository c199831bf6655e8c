/** The payer's page: one card in the middle, in the colour of the bank or wallet. */
export const PAYER_STYLE = `
.payer main { max-width: 27rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
.ticket { --brand: #27313f; background: var(--sheet); border: 1px solid var(--line); border-radius: 18px; overflow: hidden; margin-bottom: 1rem; box-shadow: 0 12px 32px -20px rgb(0 0 0 / 0.5); }
.ticket header { background: var(--brand); color: #fff; padding: 1.25rem 1.5rem 1.4rem; }
.ticket .method { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; margin-bottom: 1rem; }
.ticket h1 { font-size: 2.1rem; margin: 0 0 0.25rem; font-variant-numeric: tabular-nums; }
.ticket header p { overflow-wrap: anywhere; }
.ticket .body { padding: 1.25rem 1.5rem 1.5rem; display: grid; gap: 1rem; }
.ticket h2 { margin: 0; }
.ticket form { display: grid; gap: 0.6rem; }
.ticket .actions > button { flex: 1 1 auto; }
.ticket .primary { background: var(--brand); border-color: light-dark(transparent, rgb(255 255 255 / 0.35)); color: #fff; }
.numberblock { display: grid; grid-template-columns: 1fr auto; gap: 0 0.75rem; align-items: center; background: var(--sunk); border-radius: 12px; padding: 0.7rem 1rem; }
.numberblock output { grid-column: 1 / -1; font-size: 1.35rem; font-weight: 600; letter-spacing: 0.02em; overflow-wrap: anywhere; }
.steps { padding-left: 1.25rem; display: grid; gap: 0.35rem; color: var(--soft); font-size: 0.92rem; }
.qr { width: min(100%, 17rem); margin: 0 auto; display: block; border-radius: 12px; border: 1px solid var(--line); }
.barcode { width: 100%; display: block; border-radius: 8px; border: 1px solid var(--line); }
.expires { font-size: 0.92rem; }
.ask { font-size: 1.1rem; }
.deeplink { display: grid; grid-template-columns: 1fr auto; gap: 0.1rem 0.75rem; align-items: center; font-size: 0.9rem; }
.deeplink .label { grid-column: 1 / -1; }
.otp input { font: 600 1.6rem var(--mono); letter-spacing: 0.35em; text-align: center; width: 100%; }
.ended { text-align: center; padding: 1rem 0; display: grid; gap: 0.5rem; justify-items: center; }
.ended .sign { width: 4.5rem; height: 4.5rem; border-radius: 50%; display: grid; place-items: center; font-size: 2.2rem; background: var(--sunk); color: var(--soft); }
.ended:is(.settlement, .capture, .authorize, .paid) .sign { background: var(--good-sheet); color: var(--good); }
.ended:is(.deny, .failure, .chargeback) .sign { background: var(--bad-sheet); color: var(--bad); }
.ended.challenge .sign { background: var(--warn-sheet); color: var(--warn); }
.items { width: 100%; border-collapse: collapse; }
.items td { padding: 0.4rem 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
.account { padding-top: 0.25rem; }

.ways { display: grid; grid-template-columns: repeat(auto-fill, minmax(8rem, 1fr)); gap: 0.5rem; list-style: none; padding: 0; }
.ways li:only-child { grid-column: 1 / -1; }
.ways .way { width: 100%; justify-content: flex-start; border-left: 5px solid var(--brand); padding: 0.7rem 0.8rem; min-height: 3rem; white-space: normal; text-align: left; }
.group { display: grid; gap: 0.4rem; }
.group h3 { margin: 0; font-size: 0.85rem; font-weight: 550; color: var(--soft); }
.cardform { display: grid; grid-template-columns: 1fr 1fr; gap: 0.75rem; align-items: end; }
.cardform .full { grid-column: 1 / -1; }
.cardform input { width: 100%; }
.testcards { border-collapse: collapse; width: 100%; font-size: 0.85rem; }
.testcards th { font: 0.95em var(--mono); text-align: left; white-space: nowrap; padding-right: 0.75rem; }
.testcards th, .testcards td { padding-block: 0.3rem; border-top: 1px solid var(--line); vertical-align: baseline; }
.attempts { list-style: none; padding: 0; display: grid; gap: 0.4rem; font-size: 0.92rem; }
.attempts li { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0.25rem 0.75rem; }
.ticket details > summary { cursor: pointer; color: var(--soft); font-size: 0.9rem; }
.ticket .notice { margin: 0; }
.ticket a.wide { width: 100%; padding: 0.9rem; font-size: 1.1rem; }
.ticket .close { color: #fff; text-decoration: none; font-size: 1.2rem; line-height: 1; padding: 0.4rem; margin: -0.4rem; }
.ticket .until { font-size: 0.9rem; }
.links { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; justify-content: center; }

.brand-bca { --brand: #0b4a94; }
.brand-bni { --brand: #00626a; }
.brand-bri { --brand: #00509d; }
.brand-cimb { --brand: #7e0a1e; }
.brand-permata { --brand: #2c6a33; }
.brand-mandiri { --brand: #0a3a6b; }
.brand-indomaret { --brand: #0a4f9e; }
.brand-alfamart { --brand: #b0141f; }
.brand-gopay { --brand: #00657c; }
.brand-qris { --brand: #3a3f45; }
.brand-shopeepay { --brand: #b93a1a; }
.brand-ovo { --brand: #4b2a87; }
.brand-dana { --brand: #0f5cb0; }
.brand-akulaku { --brand: #b81f30; }
.brand-kredivo { --brand: #0a5a8f; }
.brand-invoice, .brand-checkout { --brand: #8f3a1c; }
.brand-credit_card { --brand: #27313f; }
`
