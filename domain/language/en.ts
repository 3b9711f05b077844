import { CARD_BLOCKED, CARD_BLOCKED_FOR_OWNER } from '#domain/blocked-card.ts';
import { EMAIL_HINT, PHONE_HINT } from '#domain/hint.ts';
import { LEAD_INCOMPLETE } from '#domain/lead.ts';
import { UNKNOWN_USER, USER_UNKNOWN_MESSAGE } from '#domain/unknown-user.ts';

import type { Plural } from './plural.ts';

/** Shown if a browser blocks its storage or has no room (docs/develop/product.md#storage-keys). */
export const ALLOW_STORAGE: string = 'Allow this site to store data, then try again.';

const plural = (forms: Plural) => forms;

/** Every card shows these texts, including the previews on the owner's pages. */
export const CARD = {
  save: 'Save',
  connect: 'Connect',
  aboutMe: 'About Me',
  readMore: 'Read more',
  readLess: 'Read less',
  call: 'Call',
  email: 'Email',
  secondPhone: 'Second phone',
  secondEmail: 'Second email',
  copyEmail: 'Copy email',
  website: 'Website',
  maps: 'Maps',
  logo: 'Logo',
  sentTo: 'Sent to {name}',
  openFile: 'Open the file to add {name} to your contacts.',
  notSent: 'Not sent.',
  tryAgain: 'Try again',
  offline: "You're offline",
  payByUpi: 'Pay by UPI',
  copyUpi: 'Copy UPI ID',
  copyGstin: 'Copy GSTIN',
  address: 'Address',
};

/** The public pages around a card show these texts, and so do the pages that replace one. */
export const PAGE = {
  description: 'This is a digital business card: save the contact, connect, call or write.',
  pictureOf: 'The business card of {name}',
  createCard: 'Create Your {product} Card',
  print: 'Print',
  language: 'Language',
  inApp: 'To save this contact, open this page in your browser.',
  copyLink: 'Copy link',
  copied: 'Copied',
  close: 'Close',
  needsScript: 'Turn on JavaScript to send this.',
  connectNote: "Add your name and a mobile number or email. We'll send them to {name}.",
  privacyPolicy: 'Privacy policy',
  name: 'Name',
  mobile: 'Mobile',
  company: 'Company',
  mobileHint: PHONE_HINT,
  emailHint: EMAIL_HINT,
  needName: 'Add your name.',
  needMobile: 'Add a mobile number or an email.',
  needEmail: 'Add an email or a mobile number.',
  cut: 'Shortened to fit.',
  connecting: 'Connecting',
  incomplete: LEAD_INCOMPLETE,
  sent: 'Contact Send Successfully',
  failed: 'Some error occured',
  unknownName: UNKNOWN_USER.name as string,
  unknownUser: USER_UNKNOWN_MESSAGE as string,
  checkLink: 'Check the link, or ask for it again.',
  notReady: 'This card is not ready yet',
  settingUp: 'Its owner is still setting it up.',
  blocked: CARD_BLOCKED,
  blockedSentence: `${CARD_BLOCKED}.`,
  takenDown: "It's been taken down, and its details are no longer shown.",
  error: 'Error',
  goTo: 'Go to {product}',
  badAddress: "We couldn't read this link.",
  nothingHere: "There's nothing here.",
  tooMuch: 'That was a lot at once. Wait a minute, then try again.',
  notNow: "We can't answer right now. Try again in a moment.",
  upiQrCode: 'UPI QR code',
  youPay: 'You pay {name}',
  openUpiApp: 'Open a UPI app',
  mayFail: 'If the app refuses, copy the ID.',
};

/** CONNECT_NOTICE=dpdp shows these texts. The notice is stored with `{name}`, so that all cards share it. */
const RECEIPT = {
  notice:
    'Who gets it: {name}. {product} keeps it for them.\n' +
    'What: the name, mobile, email and company you enter, and when.\n' +
    'Why: so that {name} can contact you. By sending, you agree to this.\n' +
    'How long: {kept}\n' +
    'See or withdraw it: at any time, with the link you get after sending.\n' +
    'Whom to ask: {contact}\n' +
    'Where to complain: {support}, then the Data Protection Board of India.',
  kept: plural({ one: '{count} day, or until {name} deletes it or you withdraw it.', other: '{count} days, or until {name} deletes it or you withdraw it.' }),
  see: 'See or withdraw what you left',
  heading: 'What you left',
  leftWith: 'You left this with {name} on {time}.',
  noticeHeading: 'What you were told',
  beyondReach: 'Copies that {name} has saved or passed on stay with them. Ask them to delete those too.',
  withdraw: 'Withdraw',
  withdrawWarning: "We'll delete your details at once, for good.",
  confirm: 'Withdraw my details',
  withdrawn: 'Your details were withdrawn.',
  nothing: 'Nothing is kept under this link.',
  keptOpen: 'until {name} deletes it or you withdraw it.',
};

/** The landing page and the login page show these texts. */
export const SIGNIN = {
  title: 'Sign in',
  headline: 'Your digital business card in two minutes.',
  promise: 'Share it as a link or a QR code. Nobody needs an app to open it.',
  needsScript: "Making a card needs JavaScript. Looking at one doesn't.",
  terms: 'Free for you, and for everyone you meet. Your first sign-in creates your account. By signing in, you accept the {terms} and the {privacy}.',
  termsLink: 'terms',
  privacyLink: 'privacy policy',
  policies: { privacy: 'Privacy', terms: 'Terms', refund: 'Cancellation and refund', shipping: 'Shipping and delivery' },
  sampleCard: 'A sample card',
  sample: { name: 'Meera Iyer', designation: 'Architect', companyName: 'Courtyard Studio', bio: 'Houses that stay cool without machines, from Kochi to Jaipur.' },
  loading: 'Sign-in is loading',
  slow: 'Sign-in is taking longer than usual.',
  notLoaded: "We couldn't load the sign-in. Check your network, or whether something is blocking it.",
  tryAgain: 'Try again',
  signingIn: 'Signing in',
  withPhone: 'Sign in with your phone', usePasskey: 'Use a passkey',
  userFetchFailed: "We couldn't load your card just now. Sign in again, or try once more.",
  tryOnceMore: 'Try once more',
  byInvitation: 'This service is by invitation. No code? Ask {email}.',
  notInvited: "This number hasn't been invited.",
  cardBlocked: CARD_BLOCKED_FOR_OWNER,
  sessionEnded: "You've been signed out. Sign in again; your draft is saved.",
  loggedOut: "You've been signed out. Sign in again.",
  accountDeleted: "Your account is deleted. We can't reach a link preview that a chat has kept.",
  continueWith: 'Continue with {name}',
  notVouched: "Your company hasn't confirmed your phone number. Ask your company.",
  signInAgain: 'This sign-in is no longer valid. Sign in again.',
  rejected: 'This sign-in is no longer valid. Try again with a new code.',
  unreachable: "We couldn't finish signing you in just now.",
  allowStorage: ALLOW_STORAGE,
};

/** Shown with DORMANT_DAYS, after a right code for an account that was not used for long. */
export const DORMANT = { itsMine: "It's mine", startNewCard: 'Start a new card', newCardWarning: 'The old card stays online, but this number can no longer edit it.', noPasskey: 'No passkey on this device? Write to {email}.' };

/** The forms for a phone and its code show these texts. */
export const CODE = {
  phone: 'Phone number',
  phoneHint: "No country code? We'll add +91.",
  phoneEmpty: 'Enter your phone number.',
  sendCode: 'Send code',
  sending: 'Sending the code',
  enterCode: 'Enter the code',
  code: 'Code',
  codeEmpty: 'Enter the code we sent.',
  verify: 'Verify',
  verifying: 'Verifying the code',
  resend: 'Resend code',
  resendIn: plural({ other: 'Resend code in {count} s' }),
  changeNumber: 'Change number',
  sentTo: 'Sent to {phone}.',
  validFor: plural({ other: 'Valid for {count} minutes.' }),
  mayArrive: 'The code for {phone} may still arrive.',
  newestCode: 'Use the newest code.',
  waitForCode: plural({
    one: 'Wait 1 second before you request another code.',
    other: 'Wait {count} seconds before you request another code.',
  }),
  sentByWhatsappOrSms: 'Sent by WhatsApp or SMS',
  sentByWhatsapp: 'Sent by WhatsApp',
  sentBySms: 'Sent by SMS',
  sendBySms: 'Send by SMS',
  sentByWhatsappOrEmail: 'Sent by WhatsApp or email',
  sentByEmailOrSms: 'Sent by email or SMS',
  sendByEmail: 'Send by email',
  emailedIfRegistered: "If this number is registered here, we've emailed you a code.",
  notFinishedNewCode: "We couldn't finish signing you in. Request a new code.",
  noResponse: "We can't reach the service. Check your network and try again.",
  ourFault: 'Something went wrong on our side. Try again.',
};

/** The server answers the calls of a card and of the login page with these texts. */
export const ANSWER = {
  manyContacts: "That's a lot of contacts at once. Try again later.",
  unavailable: "We can't do that right now. Try again in a moment.",
  ourFault: 'Something went wrong on our side. Try again.',
  phoneCountry: "We can't send codes to this country. Use a number from a country we serve.",
  phoneTenDigits: 'Enter the ten digits of your mobile number.',
  phoneIncomplete: "That's not a complete phone number. Check it and try again.",
  phoneNotMobile: 'We can only send codes to mobile numbers. Use your mobile number.',
  phoneBlocked: "You can't sign in with this number: the operator has blocked its card.",
  codeNotSent: "We couldn't send the code. Try again.",
  codeWrong: "That code doesn't match. Check the message.",
  codeExpired: 'That code is no longer valid. Request a new one.',
  passkeyRejected: "That passkey doesn't work here. Use your phone number.", accountDormant: "This number belongs to an account that hasn't been used for a while.",
  waitMinutesForCode: plural({ other: 'Wait {count} minutes before you request another code.' }),
  waitHoursForCode: plural({ other: 'Wait {count} hours before you request another code.' }),
  numberLocked: 'This number is locked after too many wrong codes.',
  cannotCheck: "We can't check codes right now.",
  waitSeconds: plural({ one: 'Try again in 1 second.', other: 'Try again in {count} seconds.' }),
  waitMinutes: plural({ other: 'Try again in {count} minutes.' }),
  waitHours: plural({ other: 'Try again in {count} hours.' }),
  writeTo: "If you still can't sign in, write to {email}.",
  codesSentToIndia: "We'll text you a code. Indian numbers only.",
  codesSentTo: 'We send codes to numbers from {countries}.',
  assumedCode: "No country code? We'll add {code}.",
};

/** The language's own name, and who has read its texts (docs/develop/languages.md). */
const ABOUT = { name: 'English', readBy: 'its author' };

/** Every other language has the same keys. */
export const en = {
  about: ABOUT,
  card: CARD,
  page: PAGE,
  receipt: RECEIPT,
  signin: SIGNIN,
  dormant: DORMANT, code: CODE,
  answer: ANSWER,
};
