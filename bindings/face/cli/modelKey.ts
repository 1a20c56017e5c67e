/** The environment variable with the key of a language model's interface, unless another is named. */
export const MODEL_KEY = 'FOREGUARD_MODEL_KEY';
