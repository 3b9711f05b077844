import { displayShort } from '#domain/display.ts';
import type { Profile } from '#domain/profile.ts';
import { mailHref, telephoneHref } from '#domain/href.ts';

import type { CardMode } from './card-mode.ts';
import { Sign } from './icon.tsx';

interface ReachProps {
  readonly profile: Profile;
  readonly mode: CardMode;
}

/** Call and Email, with their values to be read. The phone is always shown, the email if present. */
export function Reach({ profile: { phone, email }, mode }: ReachProps) {
  return (
    <ul className="card-reach">
      <Row sign="call" word="Call" href={mode === 'live' ? telephoneHref(phone) : null}>
        {phone}
      </Row>
      {email !== '' && (
        <Row sign="email" word="Email" href={mode === 'live' ? mailHref(email) : null}>
          {displayShort(email)}
        </Row>
      )}
    </ul>
  );
}

interface RowProps {
  readonly sign: 'call' | 'email';
  readonly word: string;
  /** null where there is nothing to press. */
  readonly href: string | null;
  readonly children: string;
}

/** The link is the word alone, so that word is its name; the style sheet lets all the row press it. */
function Row({ sign, word, href, children }: RowProps) {
  const valueId = href === null ? undefined : `${sign}-value`;
  return (
    <li className="reach-row">
      <Sign name={sign} />
      {href === null ? (
        <span className="reach-word">{word}</span>
      ) : (
        <a className="reach-word" href={href} aria-describedby={valueId}>
          {word}
        </a>
      )}
      <bdi className="reach-value" id={valueId}>
        {children}
      </bdi>
    </li>
  );
}
