import type { ReactNode } from 'react';

import { CARD_BLOCKED } from '#domain/blocked-card.ts';
import { UNKNOWN_USER } from '#domain/profile.ts';

import { CARD_DESCRIPTION, Document, PageFooter } from './document.tsx';
import { Mosaic } from './mosaic.tsx';

interface NoticePageProps {
  readonly title: string;
  readonly description?: string | undefined;
  readonly heading: string;
  readonly sentence: string;
  /** What the reader can do. */
  readonly advice?: string | undefined;
  readonly children?: ReactNode;
  readonly footer?: { readonly productName: string; readonly appUrl: string };
  readonly style: string;
}

/** Never indexed. */
function NoticePage(props: NoticePageProps) {
  const { title, description, heading, sentence, advice, children, footer, style } = props;
  return (
    <Document title={title} description={description} isIndexed={false} style={style}>
      <div className="page">
        <main className="page-column">
          <div className="business-card">
            <Mosaic seed={heading} className="mosaic notice-band" />
            <div className="notice">
              <h1>{heading}</h1>
              <p>{sentence}</p>
              {advice !== undefined && <p>{advice}</p>}
              {children}
            </div>
          </div>
        </main>
        {footer && <PageFooter {...footer} />}
      </div>
    </Document>
  );
}

interface ErrorPageProps {
  readonly productName: string;
  readonly sentence: string;
  readonly style: string;
}

/** docs/product.md#error-screen. */
export function ErrorPage({ productName, sentence, style }: ErrorPageProps) {
  return (
    <NoticePage
      title={`Error - ${productName}`}
      heading="Unexpected Application Error!"
      sentence={sentence}
      style={style}
    >
      <p>
        <a href="/">Go to {productName}</a>
      </p>
    </NoticePage>
  );
}

interface NoCardPageProps {
  readonly productName: string;
  readonly appUrl: string;
  readonly style: string;
}

type NoCardTexts = Pick<NoticePageProps, 'description' | 'advice'>;

/** docs/product.md#public-card. */
const noCardPage =
  (heading: string, sentence: string, { description, advice }: NoCardTexts = {}) =>
  ({ style, ...footer }: NoCardPageProps) => (
    <NoticePage
      title={`${heading} - ${footer.productName}`}
      description={description}
      heading={heading}
      sentence={sentence}
      advice={advice}
      footer={footer}
      style={style}
    />
  );

export const UnknownPage = noCardPage(UNKNOWN_USER.name, UNKNOWN_USER.bio, {
  description: CARD_DESCRIPTION,
  advice: 'Check the link, or ask for it again.',
});
export const NotReadyPage = noCardPage(
  'This card is not ready yet',
  'It has no phone number yet.',
  { description: CARD_DESCRIPTION },
);
export const BlockedPage = noCardPage(
  CARD_BLOCKED,
  'It has been taken down, and its details are no longer shown.',
);
