// What a page can do without, and is nicer with: search, copying, a choice of light or dark.
const script = document.querySelector('script[data-root]')
const indexAddress = new URL(script.dataset.root, location.href)

const nav = document.querySelector('details.nav')
if (matchMedia('(width < 48rem)').matches) nav.open = false
nav.querySelector('[aria-current]')?.scrollIntoView({ block: 'center' })

const root = document.documentElement
const theme = document.getElementById('theme')
const kept = localStorage.getItem('theme')
if (kept !== null) root.dataset.theme = kept
theme.hidden = false
theme.addEventListener('click', () => {
  const dark =
    (root.dataset.theme ??
      (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark'
  root.dataset.theme = dark ? 'light' : 'dark'
  localStorage.setItem('theme', root.dataset.theme)
})

for (const figure of document.querySelectorAll('.code')) {
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = 'Copy'
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(figure.querySelector('code').textContent)
    button.textContent = 'Copied'
    setTimeout(() => (button.textContent = 'Copy'), 1500)
  })
  figure.append(button)
}

const search = document.querySelector('search')
const input = search.querySelector('input')
const list = search.querySelector('ul')
const FOUND_MAX = 12
let entries
search.hidden = location.protocol === 'file:'

/** Headings that begin with a word count most, then headings that hold it, then text. */
function scoreOf({ page, words }, wanted) {
  const text = `${page} ${words}`.toLowerCase()
  if (!wanted.every((word) => text.includes(word))) return 0
  const head = words.slice(0, 60).toLowerCase()
  return (
    1 +
    wanted.filter((word) => head.includes(word)).length * 3 +
    (head.startsWith(wanted[0]) ? 5 : 0)
  )
}

function itemOf({ page, place, words }) {
  const item = document.createElement('li')
  const link = document.createElement('a')
  const text = document.createElement('small')
  link.href = new URL(place, indexAddress)
  link.textContent = page
  text.textContent = words.slice(0, 110)
  link.append(text)
  item.append(link)
  return item
}

input.addEventListener('input', async () => {
  entries ??= fetch(indexAddress).then((reply) => reply.json())
  const all = await entries
  const wanted = input.value.toLowerCase().split(/\s+/).filter(Boolean)
  const found =
    wanted.length === 0 ? [] : all.map((entry) => ({ entry, score: scoreOf(entry, wanted) }))
  const best = found.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score)
  list.replaceChildren(...best.slice(0, FOUND_MAX).map(({ entry }) => itemOf(entry)))
})
document.addEventListener('keydown', (event) => {
  if (event.key === '/' && !/INPUT|TEXTAREA/.test(document.activeElement.tagName)) {
    event.preventDefault()
    input.focus()
  }
  if (event.key === 'Escape') list.replaceChildren()
})
