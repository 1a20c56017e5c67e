import { expect, it } from 'vitest';
import { ParseError } from '../../bindings/base/errors.js';
import { parseModel } from '../../bindings/solvers/formats/index.js';

// It became a variable called `false`, which no printed model could say.
it('a module whose variable is renamed to a word of the language is refused at that word', () => {
  const text = 'mdp\nmodule m x : [0..1]; endmodule\nmodule n = m [x=false] endmodule';
  expect(() => parseModel(text)).toThrow(ParseError);
  expect(() => parseModel(text)).toThrow(/3:17: 'false' is a word of the language/);
});
