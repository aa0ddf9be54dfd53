// Package search ranks documents by their relevance to a question and explains the ranks. It does
// not depend on mems or tasks: packer and the recall command convert them to Documents. It reads no
// file and no clock and computes with integers, so that all machines rank alike.
//
//	x := search.New(documents)                // or Put, one by one
//	r := x.Search(search.Query{Parts: []search.Part{{Text: "why are tokens in cookies"}}})
//	for _, hit := range r.Hits(8) {
//		fmt.Println(hit.ID, hit.Score, hit.Why())
//	}
//
// # Score
//
// A document's words are weighted by field (Weights) and scored with BM25F
// (Robertson, Zaragoza and Taylor 2004: one frequency and one length over all
// weighted fields; k1 0.9, b 0.4). A word of the question that a document lacks
// can be replaced by a near word, such as purchased for bought (a table of
// everyday and software English), for at most four tenths of its score. The ten
// most frequent words of the five best documents are added to the question with
// a tenth of its weight (RM3), so that a document without a shared word can be
// found.
//
// A document also gets two tenths of the score of the best related document, and three tenths of the
// best document of the same origin. The sum is multiplied by 1.6 if the question names a path, symbol,
// tag or ID of the document, then by 0.85 + 0.15 x confidence, and halved for a suspect document.
//
// # Terms
//
// See Terms: words in lower case, irregular forms reduced to their base, and stemmed with Porter2;
// identifiers in parts and as a whole.
package search
