/**
 * The `RESULT` comments of a property file. They stand directly above their property: `RESULT: value`, or one line for each choice
 * of constants, `RESULT (N=4,p=0.1): value`.
 */

/** Everything about results in the comment lines directly above an offset: [{ constants: [[name, value]], text }]. */
export function resultLines(source, offset) {
  const lines = source.slice(0, offset).split('\n');
  lines.pop(); // what stands before the property on its own line
  const comments = [];
  while (lines.length > 0 && /^[ \t\r]*(\/\/|[ \t]+\r?$)/.test(lines.at(-1))) comments.unshift(lines.pop());
  return [
    ...comments
      .join('\n')
      .matchAll(/RESULT[ \t]*(?:\(([^)]+)\))?[ \t]*:[ \t]*(Error[ \t]*"[^"\n\r]*"|[^ \t\n\r]+)/g),
  ].map(([, constants = '', text]) => ({
    constants: constants
      .split(',')
      .filter((pair) => pair.trim() !== '')
      .map((pair) => pair.split('=').map((part) => part.trim())),
    text,
  }));
}

/**
 * What the first line that fits the constants says; undefined if none does.
 *
 * @param hasValue Whether a constant of this name exists and has the value written
 */
export function resultFor(lines, hasValue) {
  return lines.find(({ constants }) => constants.every(([name, value]) => hasValue(name, value)))?.text;
}
