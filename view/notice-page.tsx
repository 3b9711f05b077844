import type { ReactNode } from 'react';

import { CARD_BLOCKED } from '#domain/blocked-card.ts';
import { UNKNOWN_USER } from '#domain/profile.ts';

import { CARD_DESCRIPTION, Document, PageFooter } from './document.tsx';
import { Mosaic } from './mosaic.tsx';

interface NoticePageProps {
  readonly title: string;
  readonly description?: string | undefined;
  readonly heading: string;
  readonly sentence?: string;
  readonly children?: ReactNode;
  readonly footer?: { readonly productName: string; readonly appUrl: string };
  readonly style: string;
}

/** Never indexed. */
function NoticePage(props: NoticePageProps) {
  const { title, description, heading, sentence, children, footer, style } = props;
  return (
    <Document title={title} description={description} isIndexed={false} style={style}>
      <div className="page">
        <main className="page-column">
          <div className="business-card">
            <Mosaic seed={heading} className="mosaic card-band" />
            <div className="notice">
              <h1>{heading}</h1>
              {sentence !== undefined && <p>{sentence}</p>}
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

export function UnknownPage({ style, ...footer }: NoCardPageProps) {
  return (
    <NoticePage
      title={`${UNKNOWN_USER.name} - ${footer.productName}`}
      description={CARD_DESCRIPTION}
      heading={UNKNOWN_USER.name}
      sentence={UNKNOWN_USER.bio}
      footer={footer}
      style={style}
    />
  );
}

export function NotReadyPage({ style, ...footer }: NoCardPageProps) {
  return (
    <NoticePage
      title={`This card is not ready yet - ${footer.productName}`}
      description={CARD_DESCRIPTION}
      heading="This card is not ready yet"
      sentence="Its owner is still filling it in. Look again in a little while."
      footer={footer}
      style={style}
    />
  );
}

export function BlockedPage({ style, ...footer }: NoCardPageProps) {
  return (
    <NoticePage
      title={`${CARD_BLOCKED} - ${footer.productName}`}
      heading={CARD_BLOCKED}
      sentence="It has been taken down, and its details are no longer shown."
      footer={footer}
      style={style}
    />
  );
}
