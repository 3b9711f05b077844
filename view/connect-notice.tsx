import { fillElements } from './language.tsx';

export interface ConnectNotice {
  readonly text: string;
  readonly version: string;
  /** Whether the service has written it, and visitors get a receipt (docs/dpdp.md). */
  readonly hasReceipt: boolean;
}

/** Below the button of the form. */
export function NoticeBelow({
  text,
  version,
  hasReceipt,
  name,
}: ConnectNotice & { readonly name: string }) {
  return (
    <>
      {hasReceipt ? (
        <div className="popup-note">
          <NoticeLines text={text} name={name} />
        </div>
      ) : (
        <p className="popup-note" dir="auto">
          {text}
        </p>
      )}
      <input type="hidden" name="notice" value={version} />
    </>
  );
}

interface NoticeLinesProps {
  readonly text: string;
  /** The name of the card's owner. */
  readonly name: string;
}

/** Each line begins with what it is about, before a colon. */
export function NoticeLines({ text, name }: NoticeLinesProps) {
  return text.split('\n').map((line) => {
    const [about = '', ...rest] = line.split(':');
    return (
      <p key={line}>
        <b>{about}:</b>
        {fillElements(rest.join(':'), { name: <bdi>{name}</bdi> })}
      </p>
    );
  });
}
