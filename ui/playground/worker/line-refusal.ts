/** Something that is wrong with a line, or not there in this page; its message is for the reader. */
export class LineRefusal extends Error {}
