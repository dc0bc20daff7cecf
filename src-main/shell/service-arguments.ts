/** A small young generation: under load V8 would let it grow by 60 MB, and no work goes faster for that (measured with events of SDKs). */
export const serviceArguments: readonly string[] = ['--max-semi-space-size=4'];
