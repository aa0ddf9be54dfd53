package resources

import (
	"slices"
	"strings"
)

// secretNames lists lower-case substrings of names of secrets.
var secretNames = [...]string{"token", "secret", "passw", "apikey", "api-key", "api_key", "authorization", "credential"}

// tokenPrefixes lists prefixes of service tokens: GitHub, GitLab, Slack, AWS, npm, PyPI,
// Anthropic, OpenAI. At least tokenLength letters, digits, - and _ follow the prefix.
var tokenPrefixes = [...]string{"ghp_", "gho_", "ghs_", "ghu_", "github_pat_", "glpat-", "xoxb-", "xoxp-", "AKIA", "npm_", "pypi-", "sk-ant-", "sk-proj-"}

const tokenLength = 16

// MaskSecrets returns the words of a command line and replaces likely secrets with ***. It
// masks the user of a URL, the values of options, variables and headers with secret names,
// and tokens of well-known services. Code that records or displays a command line must mask
// it first. Masking is idempotent.
func MaskSecrets(words []string) []string {
	masked := make([]string, len(words))
	value := false // the current word is the value of a secret name
	for i, word := range words {
		switch {
		case value && isAuthScheme(word): // "Authorization: Bearer": the secret is the next word
			masked[i] = word
		case value && !strings.HasPrefix(word, "-"):
			masked[i], value = "***", false
		default:
			masked[i], value = maskWord(word)
		}
	}
	return masked
}

// isAuthScheme reports whether a word is the scheme of an Authorization header.
func isAuthScheme(word string) bool {
	return strings.EqualFold(word, "bearer") || strings.EqualFold(word, "basic")
}

// maskWord masks secrets in a word. It reports whether the next word is a secret.
func maskWord(word string) (masked string, next bool) {
	word = withoutTokens(withoutUser(word))
	start := 0 // start of the current name
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

// namesSecret reports whether the name of a variable suggests a secret value.
func namesSecret(name string) bool {
	name = strings.ToLower(name)
	return strings.HasSuffix(name, "auth") || slices.ContainsFunc(secretNames[:], func(s string) bool { return strings.Contains(name, s) })
}

// withoutUser masks the user and password of a URL.
func withoutUser(word string) string {
	scheme, rest, found := strings.Cut(word, "://")
	host, _, _ := strings.Cut(rest, "/")
	at := strings.LastIndexByte(host, '@')
	if !found || at < 0 {
		return word
	}
	return scheme + "://***" + rest[at:]
}

// withoutTokens masks service tokens.
func withoutTokens(word string) string {
	for _, prefix := range tokenPrefixes {
		word = replaceTokens(word, prefix, func(_, rest string) int {
			return len(rest) - len(strings.TrimLeft(rest, alphanumeric+"_-"))
		})
	}
	// Old OpenAI keys have the bare prefix "sk-", and words such as "task-list" contain it too.
	// A key must therefore be at the start of a word, contain no dash, and contain a digit or have
	// at least four characters more than tokenLength.
	return replaceTokens(word, "sk-", func(before, rest string) int {
		key := rest[:len(rest)-len(strings.TrimLeft(rest, alphanumeric))]
		begins := before == "" || !strings.ContainsRune(alphanumeric+"_-", rune(before[len(before)-1]))
		if begins && (len(key) >= tokenLength+4 || strings.ContainsAny(key, "0123456789")) {
			return len(key)
		}
		return 0
	})
}

// replaceTokens replaces each token with a prefix by ***. length returns the number of bytes of the
// token after the prefix, given the texts around it; fewer than tokenLength are no token.
func replaceTokens(word, prefix string, length func(before, rest string) int) string {
	masked := ""
	for {
		before, rest, found := strings.Cut(word, prefix)
		if !found {
			return masked + word
		}
		masked += before
		if n := length(masked, rest); n >= tokenLength {
			masked, word = masked+"***", rest[n:]
		} else {
			masked, word = masked+prefix, rest
		}
	}
}

const alphanumeric = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

// privateKey begins the block of a private key in a file (RFC 7468), after the key type.
const privateKey = "PRIVATE KEY-----"

// HoldsSecret reports whether a text contains a likely token of a well-known service, a
// private key, or a URL with a password. It detects fewer secrets than MaskSecrets, because
// it ignores secret names: a text about tokens is not a secret.
func HoldsSecret(text string) bool { return len(secrets(text)) > 0 }

// secrets returns the words of a text that HoldsSecret detects. For a private
// key it returns privateKey, first.
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

// jsonBreaks replaces escaped white space in JSON text.
var jsonBreaks = strings.NewReplacer(`\n`, " ", `\t`, " ", `\r`, " ")

// NewSecret describes the first likely secret in text that before does not contain. The
// description is safe to display. It returns "" if text contains no new secret.
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

// hasPassword reports whether a URL contains a user and a password.
func hasPassword(word string) bool {
	_, rest, found := strings.Cut(word, "://")
	host, _, _ := strings.Cut(rest, "/")
	user, _, named := strings.Cut(host, "@")
	_, password, _ := strings.Cut(user, ":")
	return found && named && password != "" && password != "***"
}
