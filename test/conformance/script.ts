/** A module of the conformance runner; it is JavaScript, without types. */
// biome-ignore lint/suspicious/noExplicitAny: what scripts export is not declared
export async function script(name: string): Promise<any> {
  return import(new URL(`../../scripts/conformance/${name}`, import.meta.url).href);
}
