export {
  createGrounder,
  type EmbedTexts,
  type GroundedThing,
  type Grounder,
  type Grounding,
  type GroundingCandidate,
} from './grounder.js';
