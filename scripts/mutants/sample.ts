/** Every so many-th mutant; Stryker numbers them in the order of the files. */
export const isInSample = (mutant_id: string, every: number): boolean =>
  Number(mutant_id) % every === 0
