import card from '#view/card.css?inline';
import connect from '#view/connect.css?inline';
import notice from '#view/notice.css?inline';
import page from '#view/page.css?inline';
import print from '#view/page-print.css?inline';
import tokens from '#view/tokens.css?inline';

/** Inlined, so that a page is one request. */
export const CARD_STYLE = `${tokens}${page}${card}${connect}${print}`;
/** The button is defined in card.css. */
export const NOTICE_STYLE = `${tokens}${page}${card}${notice}`;
