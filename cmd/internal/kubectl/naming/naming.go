// Package naming parses the names of kinds and objects on a command line, like kubectl: task foo,
// tasks foo bar, task/foo, tn foo, task.idumb.dev/foo, task,mem, all.
package naming

import (
	"errors"
	"fmt"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// Kind returns the kind with a name. The error suggests a similar name.
func Kind(word string) (*resources.Kind, error) {
	if k, found := resources.LookupKind(word); found {
		return k, nil
	}
	return nil, Unknown(word)
}

// Unknown returns the error for a word that names no kind. It suggests a similar name, one of the
// kinds or of more.
func Unknown(word string, more ...string) error {
	hint := ""
	if near := Nearest(word, more...); near != "" {
		hint = fmt.Sprintf("\nDid you mean %q?", near)
	}
	return &UnknownKind{Word: word, text: fmt.Sprintf("the store doesn't have a resource type %q%s", word, hint)}
}

// UnknownKind is the error for a word that names no kind.
type UnknownKind struct{ Word, text string }

func (e *UnknownKind) Error() string { return e.text }

// Nearest returns the name of a kind, or one of more, that is similar to word, empty if none is.
func Nearest(word string, more ...string) string {
	return resources.Nearest(strings.ToLower(word), append(Words(), more...))
}

// Words returns the names of kinds for completion and spelling suggestions.
func Words() []string {
	var all []string
	for _, k := range resources.Kinds() {
		all = append(all, k.Plural)
		if k.Singular != k.Plural {
			all = append(all, k.Singular)
		}
	}
	return all
}

// Keys parses the names of one or more objects: KIND NAME..., KIND/NAME..., or the name of a kind
// that has a single object (config).
func Keys(args []string) ([]resources.Key, error) {
	if len(args) == 0 {
		return nil, errors.New("say which object: KIND NAME or KIND/NAME; idumb api-resources lists the kinds")
	}
	if strings.Contains(args[0], "/") {
		return slashed(args)
	}
	kind, err := Kind(args[0])
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

// IsKinds reports whether a word names one or several kinds or all, or is KIND/NAME.
func IsKinds(word string) bool {
	kind, _, _ := strings.Cut(word, "/")
	_, err := kindList(kind)
	return err == nil
}

// keysOf returns the keys for all names in each kind.
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

// slashed parses KIND/NAME....
func slashed(args []string) ([]resources.Key, error) {
	keys := make([]resources.Key, 0, len(args))
	for _, arg := range args {
		key, err := Key(arg)
		if err != nil {
			return nil, err
		}
		keys = append(keys, key)
	}
	return keys, nil
}

// Key parses KIND/NAME.
func Key(arg string) (resources.Key, error) {
	word, name, ok := strings.Cut(arg, "/")
	if !ok || word == "" || name == "" || strings.Contains(name, "/") {
		return resources.Key{}, fmt.Errorf("arguments in resource/name form must have a single resource and name, found %q", arg)
	}
	kind, err := Kind(word)
	if err != nil {
		return resources.Key{}, err
	}
	return resources.Key{Kind: kind.Plural, Name: name}, nil
}
