export { describeInput, type Misfit, misfit, misfitFinder } from './fits.js';
export {
  ANY_INTEGER,
  type ElementType,
  enumerated,
  type Field,
  type Input,
  type Inputs,
  type InputType,
  MOST_ELEMENTS,
  MOST_TEXT,
  type RecordType,
  simplest,
} from './inputType.js';
