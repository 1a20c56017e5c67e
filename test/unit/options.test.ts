import { describe, expect, it } from 'vitest';
import {
  BitSet,
  build,
  check,
  checkAll,
  openChecker,
  parseModel,
  parseProperties,
} from '../../bindings/face/entries/check.js';
import { InvalidArgumentError } from '../../bindings/face/entries/index.js';
import { openQuantities } from '../../bindings/solvers/checker/index.js';

const coin = parseModel("dtmc module m x:[0..1]; [] x=0 -> 0.5:(x'=0)+0.5:(x'=1); [] x=1 -> true; endmodule");
const built = build(coin);
const file = parseProperties('P=? [ F x=1 ]');

/** As from a program without types. */
const untyped = (value: unknown): never => value as never;

describe('options and arguments that are none', () => {
  it.each<[string, () => unknown, RegExp]>([
    [
      'build',
      () => build(coin, untyped({ maxState: 1 })),
      /build has no option maxState; did you mean maxStates\?/,
    ],
    [
      'check',
      () => check(built, 'x=0', untyped({ precison: 0.1 })),
      /no option precison; did you mean precision\?/,
    ],
    [
      'checkAll',
      () => checkAll(built, file, untyped({ exakt: true })),
      /no option exakt; did you mean exact\?/,
    ],
    [
      'openChecker',
      () => openChecker(built, file, untyped({ maxStates: 9 })),
      /no option maxStates; it has precision, /,
    ],
    [
      'parseModel',
      () => parseModel('dtmc', untyped({ nam: 'x' })),
      /parseModel has no option nam; did you mean name\?/,
    ],
    [
      'parseProperties',
      () => parseProperties('true', untyped({ source: 'x' })),
      /no option source; it has name, /,
    ],
    [
      'a solver',
      () => {
        using quantities = openQuantities(built.model);
        return quantities.until([], BitSet.full(2), BitSet.of(2, [1]), untyped({ maxIteration: 5 }));
      },
      /no option maxIteration of a solver; did you mean maxIterations\?/,
    ],
    [
      'options that are text',
      () => check(built, 'x=0', untyped('exact')),
      /the options of check are "exact"/,
    ],
    ['options that are null', () => build(coin, untyped(null)), /the options of build are null/],
    ['a model that is a number', () => parseModel(untyped(3)), /parseModel is given 3; expected text/],
    [
      'properties that are a list',
      () => parseProperties(untyped(['true'])),
      /parseProperties is given an object/,
    ],
    [
      'source instead of a model',
      () => build(untyped('dtmc')),
      /build is given the text "dtmc"; expected what parseModel/,
    ],
    [
      'a model that is not built',
      () => check(untyped(coin), 'true'),
      /check is given an object with .*expected what build/,
    ],
    ['no model', () => check(untyped(undefined), 'true'), /check is given undefined/],
    [
      'a property that is none',
      () => check(built, untyped(0.5)),
      /the property is 0\.5; expected text such as/,
    ],
  ])('are refused by name: %s', (_, call, message) => {
    expect(call).toThrow(InvalidArgumentError);
    expect(call).toThrow(message);
  });

  it('lets every option through that there is', () => {
    const options = {
      precision: 1e-3,
      relative: true,
      method: 'auto',
      maxIterations: 9,
      constants: {},
    } as const;
    expect(check(built, 'P=? [ F x=1 ]', options)).toMatchObject({ value: 1 });
  });
});
