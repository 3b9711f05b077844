import { CATALOGUES } from '#domain/language/catalogues.ts';
import { LANGUAGE_QUERY, languageDirection } from '#domain/language/language.ts';
import type { Language } from '#domain/language/language.ts';
import type { Lead } from '#domain/lead-schema.ts';

import { NoticeLines } from './connect-notice.tsx';
import { fillElements } from './language.tsx';
import { NoticePage } from './notice-page.tsx';
import type { Frame } from './notice-page.tsx';

export const WITHDRAW_QUERY = 'withdraw';

interface ReceiptPageProps extends Frame {
  readonly details: Lead;
  readonly ownerName: string;
  /** When, in the visitor's language. */
  readonly time: string;
  /** Null if the text of its version is not stored. */
  readonly notice: { readonly text: string; readonly language: Language } | null;
  /** The second step, whose button withdraws. */
  readonly isConfirming: boolean;
}

/** What a visitor left (docs/dpdp.md). Works without script. */
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
      heading={receipt.heading}
      sentence={fillElements(receipt.leftWith, { name, time: <bdi>{time}</bdi> })}
    >
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
            {receipt.told}
          </h2>
          <NoticeLines text={notice.text} name={ownerName} />
        </section>
      )}
      <p>{fillElements(receipt.reach, { name })}</p>
      {isConfirming && <p>{receipt.sure}</p>}
      <form method={isConfirming ? 'post' : 'get'}>
        {!isConfirming && <input type="hidden" name={WITHDRAW_QUERY} value="1" />}
        {!isConfirming && language.isInAddress && (
          <input type="hidden" name={LANGUAGE_QUERY} value={language.language} />
        )}
        <button className={`button button-${isConfirming ? 'filled' : 'outlined'}`}>
          {isConfirming ? receipt.confirm : receipt.withdraw}
        </button>
      </form>
    </NoticePage>
  );
}

/** After a withdrawal, and where nothing is kept. */
export function NoReceiptPage(props: Frame & { readonly isWithdrawn: boolean }) {
  const { heading, withdrawn, nothing } = CATALOGUES[props.language.language].receipt;
  const sentence = props.isWithdrawn ? withdrawn : nothing;
  return <NoticePage {...props} heading={heading} sentence={sentence} />;
}
