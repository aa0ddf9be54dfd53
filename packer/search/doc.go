// Package search finds the documents that have most to do with a question, and says
// why. It knows nothing of mems or tasks: packer and the recall command hand it what
// they have as Documents. It reads no file and no clock, and computes in integers, so that
// all machines rank alike.
//
//	x := search.New(documents)                // or Put, one by one
//	r := x.Search(search.Query{Parts: []search.Part{{Text: "why are tokens in cookies"}}})
//	for _, hit := range r.Hits(8) {
//		fmt.Println(hit.ID, hit.Score, hit.Why())
//	}
//
// # Score
//
// A document's words are weighed by the field they stand in (Weights), and scored with
// BM25F (Robertson, Zaragoza and Taylor 2004: one frequency and one length for all
// fields, each weighed; k1 0.9, b 0.4). A word of the question that a document lacks may
// be stood for by one that is near to it, as purchased is to bought (a table of everyday
// and of software English): that brings at most four tenths of what the word itself would.
// The ten words that tell the five best documents apart from others join the question
// with a tenth of its weight (RM3), so that a document may be found that shares no
// word with it.
//
// Of a word that a document lacks it also gets a part of what that word brings to the
// documents of the same origin that were made just before it (the last two) and just after
// it, since an answer stands beside its question. On top of that it gets two tenths of the best document
// that it is related to, and three tenths of the best one of the same origin.
//
// The sum is multiplied by 1.6 for what the question names (a path, a symbol, a tag, an
// id), by 1.5 for what begins with a label that the question tells ("Nora: ..."), and by
// 1.2 for what tells a time where the question asks when; what only asks itself counts down
// to half. In the end it is multiplied by 0.85 + 0.15 x confidence, and halved for what is
// suspect.
//
// # Terms
//
// See Terms: words in lower case, irregular forms brought to their base and stemmed with
// Porter2; identifiers in parts and whole.
package search
