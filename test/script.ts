/** A module of scripts/; it is JavaScript, without types. */
// biome-ignore lint/suspicious/noExplicitAny: what scripts export is not declared
export async function script(path: string): Promise<any> {
  return import(new URL(`../scripts/${path}`, import.meta.url).href);
}
