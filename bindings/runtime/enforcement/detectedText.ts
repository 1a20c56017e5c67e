/**
 * The text that detectors look at: all texts, numbers and names of fields in plain data, in their order, each in a line of its own. Names are there because
 * a tool may take any, and whoever wants to hide a text could write it there.
 */
export function detectedText(value: unknown): string {
  const lines: string[] = [];
  const walk = (found: unknown): void => {
    if (typeof found === 'string') lines.push(found);
    else if (typeof found === 'number') lines.push(String(found));
    else if (Array.isArray(found)) found.forEach(walk);
    else if (typeof found === 'object' && found !== null)
      for (const [name, field] of Object.entries(found)) {
        lines.push(name);
        walk(field);
      }
  };
  walk(value);
  return lines.join('\n');
}
