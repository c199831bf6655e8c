import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

// Relative addresses: the service serves the files under whatever prefix it is mounted at.
export default defineConfig({
  base: './',
  plugins: [react()],
  resolve: { conditions: ['@gapura/source', 'module', 'browser', 'default'] },
  build: {
    target: 'es2023',
    // A data: address would need an exception in the policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { entryFileNames: 'assets/[name]-[hash].js' } },
  },
})
