/** Identifiers are cut here to avoid long names of tar members; the alias keeps the full name. */
const MAX_LENGTH = 40;

/**
 * One identifier of the letters `[0-9a-z_-]` for each name, as UMB requires for annotations: other characters become `_`, and
 * names that would share an identifier are numbered. An identifier is never all digits, because JSON objects do not keep the
 * order of such keys.
 */
export function identifiersFor(names: readonly string[], taken: readonly string[] = []): string[] {
  const used = new Set(taken);
  return names.map((name) => {
    const plain = name
      .toLowerCase()
      .replace(/[^0-9a-z_-]/g, '_')
      .slice(0, MAX_LENGTH);
    const stem = /^\d*$/.test(plain) ? `_${plain}` : plain;
    let identifier = stem;
    for (let i = 2; used.has(identifier); i++) identifier = `${stem}-${i}`;
    used.add(identifier);
    return identifier;
  });
}
