/*
 * If the photo's file does not load, the card shows the default picture, which is in the template next to it
 * (view/portrait.tsx). Only cards with a photo load this script.
 */
const photo = document.querySelector('picture') as HTMLElement;
(photo.lastChild as HTMLImageElement)
  .decode()
  .catch(() => photo.replaceWith((photo.nextSibling as HTMLTemplateElement).content));
