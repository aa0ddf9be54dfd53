package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// kindOfWord returns the kind with a name. The error suggests a similar name.
func kindOfWord(word string) (*resources.Kind, error) {
	if k, found := resources.LookupKind(word); found {
		return k, nil
	}
	return nil, unknownKind(word)
}

// unknownKind returns the error for a word that names no kind. It suggests a similar name, one of the
// kinds or of more.
func unknownKind(word string, more ...string) error {
	hint := ""
	if near := nearestKind(word, more...); near != "" {
		hint = fmt.Sprintf("\nDid you mean %q?", near)
	}
	return &unknownKindError{Word: word, text: fmt.Sprintf("the store doesn't have a resource type %q%s", word, hint)}
}

// unknownKindError is the error for a word that names no kind.
type unknownKindError struct{ Word, text string }

func (e *unknownKindError) Error() string { return e.text }

// nearestKind returns the name of a kind, or one of more, that is similar to word, empty if none is.
func nearestKind(word string, more ...string) string {
	return resources.Nearest(strings.ToLower(word), append(kindWords(), more...))
}

// kindWords returns the names of kinds for completion and spelling suggestions.
func kindWords() []string {
	var all []string
	for _, k := range resources.Kinds() {
		all = append(all, k.Plural)
		if k.Singular != k.Plural {
			all = append(all, k.Singular)
		}
	}
	return all
}

// parseKeys parses the names of one or more objects: KIND NAME..., KIND/NAME..., or the name of a kind
// that has a single object (config).
func parseKeys(args []string) ([]resources.Key, error) {
	if len(args) == 0 {
		return nil, errors.New("say which object: KIND NAME or KIND/NAME; idumb api-resources lists the kinds")
	}
	if strings.Contains(args[0], "/") {
		return slashedKeys(args)
	}
	kind, err := kindOfWord(args[0])
	if err != nil {
		return nil, err
	}
	if len(args) == 1 {
		if kind.Single {
			return []resources.Key{{Kind: kind.Plural, Name: kind.Plural}}, nil
		}
		return nil, fmt.Errorf("say which %s: %s NAME; idumb get %s lists them", kind.Singular, kind.Singular, kind.Plural)
	}
	return keysOf([]*resources.Kind{kind}, args[1:])
}

// isKinds reports whether a word names one or several kinds or all, or is KIND/NAME.
func isKinds(word string) bool {
	kind, _, _ := strings.Cut(word, "/")
	_, err := kindList(kind)
	return err == nil
}

// keysOf returns the keys of all names for each kind. A name of the form KIND/NAME is an error.
func keysOf(kinds []*resources.Kind, names []string) (keys []resources.Key, err error) {
	for _, kind := range kinds {
		for _, name := range names {
			if strings.Contains(name, "/") {
				return keys, fmt.Errorf("there is no need to specify a resource type as a separate argument when passing arguments in resource/name form (%q)", name)
			}
			keys = append(keys, resources.Key{Kind: kind.Plural, Name: name})
		}
	}
	return keys, nil
}

// slashedKeys parses KIND/NAME....
func slashedKeys(args []string) ([]resources.Key, error) {
	keys := make([]resources.Key, 0, len(args))
	for _, arg := range args {
		key, err := parseKey(arg)
		if err != nil {
			return nil, err
		}
		keys = append(keys, key)
	}
	return keys, nil
}

// parseKey parses KIND/NAME.
func parseKey(arg string) (resources.Key, error) {
	word, name, ok := strings.Cut(arg, "/")
	if !ok || word == "" || name == "" || strings.Contains(name, "/") {
		return resources.Key{}, fmt.Errorf("arguments in resource/name form must have a single resource and name, found %q", arg)
	}
	kind, err := kindOfWord(word)
	if err != nil {
		return resources.Key{}, err
	}
	return resources.Key{Kind: kind.Plural, Name: name}, nil
}
