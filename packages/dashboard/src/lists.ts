import type { Pages } from '@gapura/sdk'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { useFresh } from './live.ts'

interface Listing<Row> {
  /** What it lists, and with which filters. */
  key: readonly [name: string, ...filters: unknown[]]
  list: (signal: AbortSignal) => Pages<Row>
}

/** A list that grows as one scrolls and stays fresh while one does not. */
export function useList<Row>({ key, list }: Listing<Row>) {
  useFresh(key[0])
  const asked = useInfiniteQuery({
    queryKey: key,
    initialPageParam: '',
    queryFn: async ({ pageParam, signal }) =>
      await list(signal).page(pageParam === '' ? undefined : pageParam),
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })
  const { data, hasNextPage, isFetching, fetchNextPage } = asked
  const rows = useMemo(() => data?.pages.flatMap(({ results }) => results) ?? [], [data])
  const next = useCallback(() => {
    if (!isFetching) void fetchNextPage()
  }, [isFetching, fetchNextPage])
  return { ...asked, rows, more: hasNextPage ? next : undefined }
}
