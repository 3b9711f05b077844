import type { ReactNode } from 'react';

import { Document } from './document.tsx';
import { Mosaic } from './mosaic.tsx';
import { PageFooter } from './page-footer.tsx';

interface NoticePageProps {
  readonly title: string;
  readonly heading: string;
  readonly sentence?: string;
  /** The one way out, where it is not the footer's. */
  readonly children?: ReactNode;
  readonly footer?: { readonly productName: string; readonly appUrl: string };
  readonly style: string;
}

/** A calm page for what is not there: one sentence, one way out. Never indexed. */
export function NoticePage(props: NoticePageProps) {
  const { title, heading, sentence, children, footer, style } = props;
  return (
    <Document title={title} isIndexed={false} style={style}>
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
