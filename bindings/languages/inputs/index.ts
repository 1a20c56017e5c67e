export { describeInput, type Misfit, misfit } from './fits.js';
export {
  type ElementType,
  enumerated,
  type Input,
  type Inputs,
  type InputType,
  MOST_ELEMENTS,
  MOST_TEXT,
} from './inputType.js';
