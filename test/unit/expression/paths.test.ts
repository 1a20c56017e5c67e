import { expect, it } from 'vitest';
import { comparedTexts, parseExpression, pathsRead } from '../../../bindings/languages/expression/index.js';

const read = (source: string) => pathsRead(parseExpression(source)).map(({ path }) => path);

it.each([
  ['action.name == "send"', ['action.name']],
  [
    'history.exists(c, c.name == "read" && c.arguments.path == path)',
    ['history', 'history[].name', 'history[].arguments.path', 'path'],
  ],
  ['calls["send"] > 1 && last[0].ok', ['calls.send', 'last[].ok']],
  ['[1, 2].exists(n, n == count)', ['count']],
  // What selects an element is read as well: by an index, or by the body of a filter.
  ['calls[action.name] > limits[0]', ['calls[]', 'action.name', 'limits[]']],
  ['history.filter(c, c.name == "read")[0].path == "x"', ['history[].path', 'history[].name']],
])('the paths that %s reads', (source, paths) => {
  expect(read(source)).toEqual(paths);
});

it('the texts that paths are compared with, inside macros and behind an index as well', () => {
  const source = 'action.name in ["a", "b"] && history.filter(c, c.ok)[0].name == "c" && "d" != mode';
  const found = comparedTexts(parseExpression(source));
  expect(found.map(({ path, text }) => `${path} ${text}`)).toEqual([
    'action.name a',
    'action.name b',
    'history[].name c',
    'mode d',
  ]);
});
