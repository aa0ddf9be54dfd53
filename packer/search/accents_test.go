package search

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestAccentsApart: a word must be found however its accents were written.
func TestAccentsApart(t *testing.T) {
	for _, test := range []struct{ name, apart, want string }{
		{"ASCII", "plain text", "plain text"},
		{"composed already", "überprüft", "überprüft"},
		{"German", "u\u0308berpru\u0308ft", "überprüft"},
		{"capitals", "U\u0308BER E\u0301tat", "ÜBER État"},
		{"Vietnamese, two marks", "Phie\u0302n d\u0323a\u0323\u0302t ho\u031b\u0323p", "Phiên ḍật hợp"},
		{"marks in another order", "a\u0302\u0323 o\u0323\u031b", "ậ ợ"},
		{"French, Czech, Polish, Romanian", "c\u0327a r\u030ce\u030c ze\u0328bo\u0301w s\u0326i", "ça řě zębów și"},
		{"Cyrillic", "и\u0306 е\u0308", "й ё"},
		{"Greek", "α\u0301νθρωπος Α\u0301", "άνθρωπος Ά"},
		{"Hangul", "\u1112\u1161\u11ab\u1100\u1173\u11af", "한글"},
		{"kana", "か\u3099は\u309aウ\u3099ハ\u3099", "がぱヴバ"},
		{"what has no letter of its own", "x\u0301 \u0301", "x\u0301 \u0301"},
	} {
		t.Run(test.name, func(t *testing.T) {
			assert.Equal(t, Terms(test.want), Terms(test.apart))
		})
	}
}

// TestEndings: a word and its forms are one term.
func TestEndings(t *testing.T) {
	for word, want := range map[string]string{
		"nationalization": "nation", "running": "run", "hopping": "hop", "agreed": "agre", "skies": "sky", "news": "news",
		"succeeded": "succeed", "generously": "generous", "caresses": "caress", "it": "it", "a": "a", "'a": "a", "'": "", "": "",
	} {
		assert.Equal(t, want, stem(word), word)
	}
}
