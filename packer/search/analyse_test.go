package search

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
)

func TestTerms(t *testing.T) {
	for _, test := range []struct {
		name, in string
		want     []string
	}{
		{"nothing", " ,;- ", nil},
		{"words", "Fix the login form, now!", []string{"fix", "login", "form", "now"}},
		{"stems", "tokens were renewed; renewing a token", []string{"token", "renew", "renew", "token"}},
		{"kebab", "login-form", []string{"login", "form", "loginform"}},
		{"snake", "refresh_token", []string{"refresh", "token", "refreshtoken"}},
		{"camel", "refreshToken", []string{"refresh", "token", "refreshtoken"}},
		{"capitals", "HTTPServer getURL2 the URLs", []string{"http", "server", "httpserver", "get", "url2", "geturl2", "url"}},
		{"path", "web/auth/login_form.tsx", []string{"web", "auth", "login", "form", "tsx", "web/auth/loginform.tsx", "loginform.tsx"}},
		{"method", "Store.Put", []string{"store", "put", "store.put"}},
		{"end of a sentence", "Ask Linh. Then go.", []string{"ask", "linh", "go"}},
		{"irregular", "The children went; women's colors, mice, broken URLs, best programmes", []string{"child", "go", "woman", "colour", "mous", "break", "url", "good", "program"}},
		{"possessive", "Caroline's dog doesn’t bark", []string{"carolin", "dog", "bark"}},
		{"an apostrophe that is a letter", "oʼclock ʼtis ʼ", []string{"o'clock", "tis"}},
		{"numbers", "in 2023 or v1.2", []string{"2023", "v1", "2", "v1.2"}},
		{"possessive beyond ASCII", "Sørina’s Tromsø", []string{"sørina", "tromsø"}},
		{"letters beyond ASCII", "Đăng nhập ÉTÉ über", []string{"đăng", "nhập", "été", "über"}},
		{"accents apart", "cafe\u0301 \u0110a\u0306ng u\u0308ber", []string{"café", "đăng", "über"}},
		{"CJK", "登录form失败", []string{"登", "录", "登录", "form", "失", "败", "失败"}},
		{"dashes beyond ASCII", "login—form…", []string{"login", "form"}},
		{"too long", strings.Repeat("ab1", 100), []string{strings.Repeat("ab1", maxTerm)[:maxTerm]}},
		{"not UTF-8", "login\xff\xfeform", []string{"login", "form"}},
	} {
		t.Run(test.name, func(t *testing.T) { assert.Equal(t, test.want, Terms(test.in)) })
	}
}

func FuzzTerms(f *testing.F) {
	f.Add("Fix web/auth/login_form.tsx's HTTPServer 登录 ’s —")
	f.Add("ʼa'b’ʼc _ʼd -’-")
	f.Fuzz(func(t *testing.T, text string) {
		for _, term := range Terms(text) {
			if term == "" || len(term) > maxTerm {
				t.Fatalf("%q of %q", term, text)
			}
			if utf8.ValidString(text) && len(term) < maxTerm-utf8.UTFMax && !utf8.ValidString(term) {
				t.Fatalf("%q of %q", term, text)
			}
		}
	})
}

// TestEveryRuneComesToAnEnd puts every character between, before and behind letters.
func TestEveryRuneComesToAnEnd(t *testing.T) {
	a := analyser{}
	for r := range rune(0x1f000) {
		s := string(r)
		a.analyse(s+"a"+s+s+"B"+s, func(term []byte, _ bool) { assert.NotEmpty(t, term) })
	}
}
