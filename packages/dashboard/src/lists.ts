import type { Page } from '@gapura/sdk'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { isScrolled, useFresh } from './live.ts'

export interface ListedPage<Row> extends Page<Row> {
  /** Cells that did not answer, whose rows are missing. */
  unreachable?: readonly string[]
}

interface Listing<Row> {
  /** What it lists, and with which filters. */
  key: readonly [name: string, ...filters: unknown[]]
  list: (signal: AbortSignal) => { page: (cursor?: string) => Promise<ListedPage<Row>> }
}

const KEPT_MS = 1_800_000

/** A list that grows as one scrolls and stays fresh while one does not. */
export function useList<Row>({ key, list }: Listing<Row>) {
  useFresh(key[0])
  const asked = useInfiniteQuery({
    queryKey: key,
    initialPageParam: '',
    queryFn: async ({ pageParam, signal }) =>
      await list(signal).page(pageParam === '' ? undefined : pageParam),
    getNextPageParam: ({ nextCursor }) => nextCursor,
    // After Back a scrolled list has the same rows at the same place.
    gcTime: KEPT_MS,
    refetchOnMount: ({ state }) => !isScrolled(state.data),
    refetchOnWindowFocus: ({ state }) => !isScrolled(state.data),
  })
  const { data, hasNextPage, isFetching, fetchNextPage } = asked
  const rows = useMemo(() => data?.pages.flatMap(({ results }) => results) ?? [], [data])
  // Of the last page: what was missing before it follows with the cell's answer.
  const unreachable = data?.pages.at(-1)?.unreachable ?? []
  const next = useCallback(() => {
    if (!isFetching) void fetchNextPage()
  }, [isFetching, fetchNextPage])
  return { ...asked, rows, unreachable, more: hasNextPage ? next : undefined }
}
