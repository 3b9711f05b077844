import './advertisement.css';

import picture from './advertisement.svg';

/** The advertisement for the physical cards: one picture (specification, section 2). */
export function Advertisement() {
  return (
    <img
      className="advertisement"
      src={picture}
      width={640}
      height={320}
      alt="Hand it over with one tap. Smart business cards, sold in India only."
    />
  );
}
