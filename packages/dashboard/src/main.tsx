import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import './styles/base.css'
import './styles/controls.css'
import './styles/frame.css'
import './styles/lists.css'
import './styles/tables.css'
import './styles/payment.css'
import './styles/desk.css'
import './styles/search.css'
import { firstTheme, wearTheme } from './theme.ts'

wearTheme(firstTheme())
const root = document.querySelector('#root')
if (root === null) throw new Error('the page has no root')
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
