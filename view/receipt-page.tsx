import { CATALOGUES } from '#domain/language/catalogues.ts';
import { LANGUAGE_QUERY, languageDirection } from '#domain/language/language.ts';
import type { Language } from '#domain/language/language.ts';
import type { Lead } from '#domain/lead-schema.ts';
import type { Palette } from '#domain/palette.ts';

import { NoticeLines } from './connect-notice.tsx';
import { fillElements } from './language.tsx';
import { NoticePage } from './notice-page.tsx';
import type { NoticeFrame } from './notice-page.tsx';
import { SharedTile } from './shared-tile.tsx';

export const WITHDRAW_QUERY = 'withdraw';

interface ReceiptPageProps extends NoticeFrame {
  readonly palette: Palette;
  readonly details: Lead;
  readonly ownerId: string;
  readonly contactId: string;
  readonly ownerName: string;
  /** Who saw the details, in the words of the notice. */
  readonly recipients: string;
  /** The time at which the details were left, in the visitor's language. */
  readonly time: string;
  /** The notice is null if the text of its version is not stored. */
  readonly notice: { readonly text: string; readonly language: Language } | null;
  /** Whether this is the second step, whose button withdraws the details. */
  readonly isConfirming: boolean;
}

/** Shows what a visitor left (docs/operate/dpdp.md). The page works without script. */
export function ReceiptPage(props: ReceiptPageProps) {
  const { language, details, ownerName, time, notice, isConfirming, productName, style } = props;
  const { card, page, receipt } = CATALOGUES[language.language];
  const name = <bdi>{ownerName}</bdi>;
  const rows = [
    [page.name, details.name],
    [page.mobile, details.mobile],
    [card.email, details.email],
    [page.company, details.companyName],
  ].filter(([, text]) => text !== '');
  return (
    <NoticePage
      {...{ language, productName, style }}
      seed={props.ownerId}
      palette={props.palette}
      heading={receipt.heading}
      sentence={fillElements(receipt.leftWith, { name, time: <bdi>{time}</bdi> })}
    >
      <SharedTile ownerId={props.ownerId} contactId={props.contactId} />
      <dl>
        {rows.map(([label, text]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <bdi>{text}</bdi>
            </dd>
          </div>
        ))}
      </dl>
      {notice && !isConfirming && (
        <section
          lang={notice.language}
          dir={languageDirection(notice.language)}
          aria-labelledby="told"
        >
          <h2 id="told" lang={language.language} dir={languageDirection(language.language)}>
            {receipt.noticeHeading}
          </h2>
          <NoticeLines text={notice.text} name={props.recipients} />
        </section>
      )}
      <p>{fillElements(receipt.beyondReach, { name: <bdi>{props.recipients}</bdi> })}</p>
      {isConfirming && <p>{receipt.withdrawWarning}</p>}
      <form method={isConfirming ? 'post' : 'get'}>
        {!isConfirming && <input type="hidden" name={WITHDRAW_QUERY} value="1" />}
        {!isConfirming && language.isInUrl && (
          <input type="hidden" name={LANGUAGE_QUERY} value={language.language} />
        )}
        <button className={`button button-${isConfirming ? 'filled' : 'outlined'}`}>
          {isConfirming ? receipt.confirm : receipt.withdraw}
        </button>
      </form>
    </NoticePage>
  );
}

/** Appears after a withdrawal, and if nothing is stored. */
export function NoReceiptPage(props: NoticeFrame & { readonly isWithdrawn: boolean }) {
  const { heading, withdrawn, nothing } = CATALOGUES[props.language.language].receipt;
  const sentence = props.isWithdrawn ? withdrawn : nothing;
  return <NoticePage {...props} heading={heading} sentence={sentence} />;
}
