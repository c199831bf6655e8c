import { useSpeech } from '../../language.ts'

/** The service takes no larger file. */
export const FILE_BYTES_MAX = 8 * 1_024 * 1_024

interface FileFieldProps {
  accept: string
  choose: (file: File | undefined) => void
}

/** The browser's own field for a file, with its bound. */
export function FileField({ accept, choose }: FileFieldProps) {
  const { say } = useSpeech()
  return (
    <label>
      {say('file')}
      <input
        type="file"
        required
        accept={accept}
        data-first
        onChange={({ target }) => choose(target.files?.[0] ?? undefined)}
      />
      <span className="small">{say('file_bound')}</span>
    </label>
  )
}

/** The content of a file in base64, as the interface takes it. */
export const contentOf = async (file: File): Promise<string> =>
  await new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => {
      const url = typeof reader.result === 'string' ? reader.result : ''
      resolve(url.slice(url.indexOf(',') + 1))
    })
    reader.addEventListener('error', () =>
      reject(reader.error ?? new Error('the file was not read')),
    )
    reader.readAsDataURL(file)
  })
