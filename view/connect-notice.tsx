import { MoreToggle, fillElements } from './language.tsx';

export interface ConnectNotice {
  readonly text: string;
  readonly version: string;
  /** Whether the service wrote the notice and visitors get a receipt (docs/operate/dpdp.md). */
  readonly hasReceipt: boolean;
}

export function NoticeText({
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
          <MoreToggle />
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

/** Renders a paragraph for each line. The words before its colon say what it is about. */
export function NoticeLines({ text, name }: NoticeLinesProps) {
  return text.split('\n').map((line) => {
    const [subject = '', ...rest] = line.split(':');
    return (
      <p key={line}>
        <b>{subject}:</b>
        {fillElements(rest.join(':'), { name: <bdi>{name}</bdi> })}
      </p>
    );
  });
}
