package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"unicode/utf16"

	"github.com/idumb-dev/idumb/packer"
)

// keeping is how packs of random stores keep their budgets.
type keeping struct {
	packs     int
	over      int  // packs over budget, by either tokenizer
	errors    errs // percent that the estimate is above exact, of all packs and tokenizers
	overflows int  // packs that say that not even what is reserved fits
}

// keepBudgets packs random stores and counts their tokens exactly. A pack is over budget if
// it has more tokens than the share of the window and more characters than the floor, or
// more characters than the host's limit.
func keepBudgets(stores int, seed uint64) (keeping, error) {
	exact, err := counters()
	if err != nil {
		return keeping{}, err
	}
	k := keeping{packs: stores}
	for i := range stores {
		p := packer.Build(randomInput(rand.New(rand.NewPCG(seed, uint64(i)))))
		text := string(p.Bytes)
		characters, over := len(utf16.Encode([]rune(text))), false
		if p.Overflow != "" {
			k.overflows++
		}
		for _, c := range exact {
			n := c.count(text)
			k.errors = append(k.errors, 100*float64(p.Tokens-n)/float64(n))
			over = over || n > p.Budget.Tokens && characters > p.Budget.Characters
		}
		if over || p.Budget.Limit > 0 && characters > p.Budget.Limit {
			k.over++
		}
	}
	slices.Sort(k.errors)
	return k, nil
}

// line is the row of the table.
func (k keeping) line() string {
	return fmt.Sprintf("%d of %d packs over budget; estimate above exact: median %+.1f %%, least %+.1f %%, most %+.1f %% (%d packs said that they overflow)",
		k.over, k.packs, k.errors.at(0.5), k.errors.at(0), k.errors.at(1), k.overflows)
}
