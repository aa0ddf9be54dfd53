package resources

import (
	"slices"
	"strings"
)

// secretNames are what names of secrets have in them, in lower case.
var secretNames = [...]string{"token", "secret", "passw", "apikey", "api-key", "api_key", "authorization", "credential"}

// tokenPrefixes are what the tokens of some services begin with, with which at least
// tokenLength letters, digits, - and _ follow: GitHub, GitLab, Slack, AWS, npm, PyPI, Anthropic, OpenAI.
var tokenPrefixes = [...]string{"ghp_", "gho_", "ghs_", "ghu_", "github_pat_", "glpat-", "xoxb-", "xoxp-", "AKIA", "npm_", "pypi-", "sk-ant-", "sk-proj-"}

const tokenLength = 16

// MaskSecrets returns the words of a command line with *** in place of what looks like a secret:
// who an address is for, the value of an option, variable or header that is called so, and the
// tokens of well-known services. What
// records or repeats a command line for others masks it first; doing so twice changes nothing.
func MaskSecrets(words []string) []string {
	masked := make([]string, len(words))
	value := false // the word is one
	for i, word := range words {
		switch {
		case value && isAuthScheme(word): // "Authorization: Bearer" has it behind that
			masked[i] = word
		case value && !strings.HasPrefix(word, "-"):
			masked[i], value = "***", false
		default:
			masked[i], value = maskWord(word)
		}
	}
	return masked
}

func isAuthScheme(word string) bool {
	return strings.EqualFold(word, "bearer") || strings.EqualFold(word, "basic")
}

// maskWord masks what is secret in a word, and reports whether the next word is.
func maskWord(word string) (masked string, next bool) {
	word = withoutTokens(withoutUser(word))
	start := 0 // of the name that comes up to here
	for i, r := range word {
		switch {
		case r == '=' || r == ':':
			if namesSecret(word[start:i]) {
				return word[:i+1] + "***", i+1 == len(word)
			}
			start = i + 1
		case strings.ContainsRune(` "'/?&;,.`, r):
			start = i + 1
		}
	}
	return word, strings.HasPrefix(word, "-") && start == 0 && namesSecret(word)
}

func namesSecret(name string) bool {
	name = strings.ToLower(name)
	return strings.HasSuffix(name, "auth") || slices.ContainsFunc(secretNames[:], func(s string) bool { return strings.Contains(name, s) })
}

// withoutUser masks user and password of an address.
func withoutUser(word string) string {
	scheme, rest, found := strings.Cut(word, "://")
	host, _, _ := strings.Cut(rest, "/")
	at := strings.LastIndexByte(host, '@')
	if !found || at < 0 {
		return word
	}
	return scheme + "://***" + rest[at:]
}

// withoutTokens masks what begins as a token does, and is as long as one.
func withoutTokens(word string) string {
	for _, prefix := range tokenPrefixes {
		before, rest, found := strings.Cut(word, prefix)
		after := strings.TrimLeft(rest, alphanumeric+"_-")
		if found && len(rest)-len(after) >= tokenLength {
			word = before + "***" + after
		}
	}
	return withoutKeys(word)
}

const alphanumeric = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

// withoutKeys masks keys that begin with "sk-" alone, as older ones of OpenAI do. Words such as
// "task-list" have that in them as well, so a key begins a word, and has no dash in it.
func withoutKeys(word string) string {
	before, rest, found := strings.Cut(word, "sk-")
	after := strings.TrimLeft(rest, alphanumeric)
	key := rest[:len(rest)-len(after)]
	begins := before == "" || !strings.ContainsRune(alphanumeric+"_-", rune(before[len(before)-1]))
	if found && begins && (len(key) >= tokenLength+4 || len(key) >= tokenLength && strings.ContainsAny(key, "0123456789")) {
		return before + "***" + after
	}
	return word
}

// privateKey begins the block of a private key as files hold it (RFC 7468), behind its kind.
const privateKey = "PRIVATE KEY-----"

// HoldsSecret reports whether a text holds what looks like the token of a well-known service, a private
// key, or an address with a password: fewer things than MaskSecrets masks, for words about tokens
// are no tokens.
func HoldsSecret(text string) bool { return len(secrets(text)) > 0 }

// secrets are the words of a text that HoldsSecret looks for.
func secrets(text string) (found []string) {
	if strings.Contains(text, privateKey) {
		found = append(found, privateKey)
	}
	text = jsonBreaks.Replace(text)
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(" \t\r\n\"'`()[]{}<>,;|\\=", r) }) {
		if withoutTokens(word) != word || hasPassword(word) {
			found = append(found, word)
		}
	}
	return found
}

// jsonBreaks are the breaks between words as a JSON text has them.
var jsonBreaks = strings.NewReplacer(`\n`, " ", `\t`, " ", `\r`, " ")

// NewSecret returns what looks like a secret in a text and is not in the one before, as far as it may
// be shown; "" for nothing.
func NewSecret(text, before string) string {
	old := secrets(before)
	for _, word := range secrets(text) {
		switch {
		case slices.Contains(old, word):
		case word == privateKey:
			return "a private key"
		case hasPassword(word):
			return "an address with a password"
		default:
			return "a token (" + word[:min(len(word), 4)] + "...)"
		}
	}
	return ""
}

// hasPassword reports whether an address names a user with a password.
func hasPassword(word string) bool {
	_, rest, found := strings.Cut(word, "://")
	host, _, _ := strings.Cut(rest, "/")
	user, _, named := strings.Cut(host, "@")
	_, password, _ := strings.Cut(user, ":")
	return found && named && password != "" && password != "***"
}
