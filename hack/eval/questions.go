package main

// askSet measures every ranker on a set, in all and by category.
func askSet(s *set) map[string]map[string]measures {
	results := map[string]map[string]measures{}
	for _, r := range rankers {
		sums := map[string]measures{}
		for _, part := range s.parts {
			if len(part.questions) == 0 {
				continue
			}
			rank, tokens := r.make(part), part.tokensOf()
			for _, q := range part.questions {
				ranked := rank(q.text, nil)
				for _, category := range []string{"", q.category} {
					sum := sums[category]
					sum.add(ranked, q.relevant, tokens)
					sums[category] = sum
					if q.category == "" {
						break
					}
				}
			}
		}
		results[r.name] = map[string]measures{}
		for category, sum := range sums {
			results[r.name][category] = sum.mean()
		}
	}
	return results
}
