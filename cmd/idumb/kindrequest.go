package main

import (
	"errors"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// kindRequest is a selection of objects.
type kindRequest struct {
	Kinds []*resources.Kind // selects all objects of these kinds; nil means Keys
	Keys  []resources.Key   // selects exactly these objects
}

// One reports whether the request names a single object. It is printed as an object, not as a list.
func (r kindRequest) One() bool {
	return len(r.Keys) == 1 || len(r.Kinds) == 1 && r.Kinds[0].Single
}

// Several reports whether the request selects objects of several kinds.
func (r kindRequest) Several() bool {
	if len(r.Kinds) > 1 {
		return true
	}
	return slices.ContainsFunc(r.Keys, func(k resources.Key) bool { return k.Kind != r.Keys[0].Kind })
}

// AllKinds returns the kinds of the selected objects, without duplicates.
func (r kindRequest) AllKinds() []*resources.Kind {
	kinds := r.Kinds
	for _, key := range r.Keys {
		if kind, known := resources.KindOf(key.Kind); known {
			kinds = append(kinds, kind)
		}
	}
	return uniqueKinds(kinds)
}

// parseRequest parses KIND, KIND,KIND, all, KIND NAME..., and KIND/NAME....
func parseRequest(args []string) (kindRequest, error) {
	switch {
	case len(args) == 0:
		return kindRequest{}, errors.New("you must specify the type of resource to get; idumb api-resources lists them")
	case strings.Contains(args[0], "/"):
		keys, err := slashedKeys(args)
		return kindRequest{Keys: keys}, err
	}
	kinds, err := kindList(args[0])
	if err != nil || len(args) == 1 {
		return kindRequest{Kinds: kinds}, err
	}
	keys, err := keysOf(kinds, args[1:])
	return kindRequest{Keys: keys}, err
}

// kindList parses a list of kinds, such as task,mem, or all.
func kindList(list string) ([]*resources.Kind, error) {
	var kinds []*resources.Kind
	for word := range strings.SplitSeq(list, ",") {
		if strings.EqualFold(word, "all") {
			kinds = append(kinds, resources.Kinds()...)
			continue
		}
		kind, err := kindOfWord(word)
		if err != nil {
			return nil, err
		}
		kinds = append(kinds, kind)
	}
	return uniqueKinds(kinds), nil
}

// uniqueKinds returns the kinds without duplicates, in order.
func uniqueKinds(kinds []*resources.Kind) []*resources.Kind {
	seen := map[*resources.Kind]bool{}
	var once []*resources.Kind
	for _, k := range kinds {
		if !seen[k] {
			seen[k] = true
			once = append(once, k)
		}
	}
	return once
}
