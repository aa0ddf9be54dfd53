package search

// regular returns the base form of an irregular one, or one spelling of a word that has
// two; any other word as it is. The stemmer knows endings only, and would leave went and
// go apart, children and child, colour and color.
//
// In the table are the English verbs whose forms differ by more than an ending, plurals of
// old or of Latin, and common words that are spelt in two ways. A form that is more often
// another word is left out: rose, bit, ground, wound, lay, leaves, lives, bases, media.
// A switch costs nothing at the start of a process.
func regular(word string) string {
	switch word {
	case "arose", "arisen":
		return "arise"
	case "awoke", "awoken":
		return "awake"
	case "bore", "borne":
		return "bear"
	case "beaten":
		return "beat"
	case "became":
		return "become"
	case "began", "begun":
		return "begin"
	case "bent":
		return "bend"
	case "bitten":
		return "bite"
	case "bled":
		return "bleed"
	case "blew", "blown":
		return "blow"
	case "broke", "broken":
		return "break"
	case "bred":
		return "breed"
	case "brought":
		return "bring"
	case "built":
		return "build"
	case "burnt":
		return "burn"
	case "bought":
		return "buy"
	case "caught":
		return "catch"
	case "chose", "chosen":
		return "choose"
	case "clung":
		return "cling"
	case "came":
		return "come"
	case "crept":
		return "creep"
	case "dealt":
		return "deal"
	case "dug":
		return "dig"
	case "drew", "drawn":
		return "draw"
	case "dreamt":
		return "dream"
	case "drank", "drunk":
		return "drink"
	case "drove", "driven":
		return "drive"
	case "ate", "eaten":
		return "eat"
	case "fell", "fallen":
		return "fall"
	case "fed":
		return "feed"
	case "felt":
		return "feel"
	case "fought":
		return "fight"
	case "found":
		return "find"
	case "fled":
		return "flee"
	case "flung":
		return "fling"
	case "flew", "flown":
		return "fly"
	case "forbade", "forbidden":
		return "forbid"
	case "foresaw", "foreseen":
		return "foresee"
	case "forgot", "forgotten":
		return "forget"
	case "forgave", "forgiven":
		return "forgive"
	case "froze", "frozen":
		return "freeze"
	case "got", "gotten":
		return "get"
	case "gave", "given":
		return "give"
	case "went", "gone":
		return "go"
	case "grew", "grown":
		return "grow"
	case "hung":
		return "hang"
	case "heard":
		return "hear"
	case "hid", "hidden":
		return "hide"
	case "held":
		return "hold"
	case "kept":
		return "keep"
	case "knelt":
		return "kneel"
	case "knew", "known":
		return "know"
	case "laid":
		return "lay"
	case "led":
		return "lead"
	case "leant":
		return "lean"
	case "leapt":
		return "leap"
	case "learnt":
		return "learn"
	case "left":
		return "leave"
	case "lent":
		return "lend"
	case "lit":
		return "light"
	case "lost":
		return "lose"
	case "made":
		return "make"
	case "meant":
		return "mean"
	case "met":
		return "meet"
	case "misled":
		return "mislead"
	case "mistook", "mistaken":
		return "mistake"
	case "misunderstood":
		return "misunderstand"
	case "outgrew", "outgrown":
		return "outgrow"
	case "overcame":
		return "overcome"
	case "overrode", "overridden":
		return "override"
	case "oversaw", "overseen":
		return "oversee"
	case "overtook", "overtaken":
		return "overtake"
	case "overwrote", "overwritten":
		return "overwrite"
	case "paid":
		return "pay"
	case "proven":
		return "prove"
	case "rebuilt":
		return "rebuild"
	case "redid", "redone":
		return "redo"
	case "reran":
		return "rerun"
	case "rewrote", "rewritten":
		return "rewrite"
	case "rode", "ridden":
		return "ride"
	case "rang", "rung":
		return "ring"
	case "risen":
		return "rise"
	case "ran":
		return "run"
	case "said":
		return "say"
	case "saw", "seen":
		return "see"
	case "sought":
		return "seek"
	case "sold":
		return "sell"
	case "sent":
		return "send"
	case "sewn":
		return "sew"
	case "shook", "shaken":
		return "shake"
	case "shone":
		return "shine"
	case "shot":
		return "shoot"
	case "shown":
		return "show"
	case "shrank", "shrunk":
		return "shrink"
	case "sang", "sung":
		return "sing"
	case "sank", "sunk":
		return "sink"
	case "sat":
		return "sit"
	case "slept":
		return "sleep"
	case "slid":
		return "slide"
	case "slung":
		return "sling"
	case "smelt":
		return "smell"
	case "sown":
		return "sow"
	case "spoke", "spoken":
		return "speak"
	case "sped":
		return "speed"
	case "spelt":
		return "spell"
	case "spent":
		return "spend"
	case "spilt":
		return "spill"
	case "spun":
		return "spin"
	case "spoilt":
		return "spoil"
	case "sprang", "sprung":
		return "spring"
	case "stood":
		return "stand"
	case "stole", "stolen":
		return "steal"
	case "stuck":
		return "stick"
	case "stung":
		return "sting"
	case "stank", "stunk":
		return "stink"
	case "strode", "stridden":
		return "stride"
	case "struck", "stricken":
		return "strike"
	case "strung":
		return "string"
	case "strove", "striven":
		return "strive"
	case "swore", "sworn":
		return "swear"
	case "swept":
		return "sweep"
	case "swollen":
		return "swell"
	case "swam", "swum":
		return "swim"
	case "swung":
		return "swing"
	case "took", "taken":
		return "take"
	case "taught":
		return "teach"
	case "tore", "torn":
		return "tear"
	case "told":
		return "tell"
	case "thought":
		return "think"
	case "threw", "thrown":
		return "throw"
	case "trod", "trodden":
		return "tread"
	case "underwent", "undergone":
		return "undergo"
	case "understood":
		return "understand"
	case "undertook", "undertaken":
		return "undertake"
	case "undid", "undone":
		return "undo"
	case "unwound":
		return "unwind"
	case "upheld":
		return "uphold"
	case "woke", "woken":
		return "wake"
	case "wore", "worn":
		return "wear"
	case "wove", "woven":
		return "weave"
	case "wept":
		return "weep"
	case "won":
		return "win"
	case "withdrew", "withdrawn":
		return "withdraw"
	case "withheld":
		return "withhold"
	case "withstood":
		return "withstand"
	case "wrung":
		return "wring"
	case "wrote", "written":
		return "write"
	case "children":
		return "child"
	case "feet":
		return "foot"
	case "geese":
		return "goose"
	case "halves":
		return "half"
	case "knives":
		return "knife"
	case "loaves":
		return "loaf"
	case "lice":
		return "louse"
	case "men":
		return "man"
	case "mice":
		return "mouse"
	case "oxen":
		return "ox"
	case "people", "persons":
		return "person"
	case "scarves":
		return "scarf"
	case "shelves":
		return "shelf"
	case "thieves":
		return "thief"
	case "teeth":
		return "tooth"
	case "wives":
		return "wife"
	case "wolves":
		return "wolf"
	case "women":
		return "woman"
	case "calves":
		return "calf"
	case "hooves":
		return "hoof"
	case "policemen":
		return "policeman"
	case "firemen":
		return "fireman"
	case "grandchildren":
		return "grandchild"
	case "stepchildren":
		return "stepchild"
	case "better", "best":
		return "good"
	case "worse", "worst":
		return "bad"
	case "farther", "furthest":
		return "far"
	case "appendices":
		return "appendix"
	case "cacti":
		return "cactus"
	case "crises":
		return "crisis"
	case "criteria":
		return "criterion"
	case "diagnoses":
		return "diagnosis"
	case "fungi":
		return "fungus"
	case "hypotheses":
		return "hypothesis"
	case "indices":
		return "index"
	case "matrices":
		return "matrix"
	case "oases":
		return "oasis"
	case "phenomena":
		return "phenomenon"
	case "stimuli":
		return "stimulus"
	case "theses":
		return "thesis"
	case "vertices":
		return "vertex"
	case "alumni":
		return "alumnus"
	case "analyses":
		return "analysis"
	case "curricula":
		return "curriculum"
	case "airplane":
		return "aeroplane"
	case "aluminum":
		return "aluminium"
	case "analyze":
		return "analyse"
	case "behavior", "behaviors":
		return "behaviour"
	case "cancelled", "cancelling", "cancellation":
		return "cancel"
	case "catalog", "catalogs":
		return "catalogue"
	case "center", "centers", "centered":
		return "centre"
	case "color", "colors", "colored":
		return "colour"
	case "cozy":
		return "cosy"
	case "defense":
		return "defence"
	case "dialog", "dialogs":
		return "dialogue"
	case "favor", "favors":
		return "favour"
	case "favorite", "favorites":
		return "favourite"
	case "fiber":
		return "fibre"
	case "flavor", "flavors":
		return "flavour"
	case "fulfill":
		return "fulfil"
	case "gray":
		return "grey"
	case "harbor", "harbors":
		return "harbour"
	case "honor", "honored":
		return "honour"
	case "humor":
		return "humour"
	case "jewelry":
		return "jewellery"
	case "kilometer", "kilometers":
		return "kilometre"
	case "labelled", "labelling":
		return "label"
	case "labor", "labors":
		return "labour"
	case "license":
		return "licence"
	case "liter", "liters":
		return "litre"
	case "marvelous":
		return "marvellous"
	case "meter", "meters":
		return "metre"
	case "modelled", "modelling":
		return "model"
	case "mold":
		return "mould"
	case "mustache":
		return "moustache"
	case "mom", "mommy", "mummy":
		return "mum"
	case "neighbor", "neighbors", "neighboring":
		return "neighbour"
	case "odor":
		return "odour"
	case "offense":
		return "offence"
	case "plow":
		return "plough"
	case "practice":
		return "practise"
	case "programme", "programmes":
		return "program"
	case "pajamas":
		return "pyjamas"
	case "quarrelled", "quarrelling":
		return "quarrel"
	case "rumor", "rumors":
		return "rumour"
	case "skeptic":
		return "sceptic"
	case "skillful":
		return "skilful"
	case "story":
		return "storey"
	case "theater", "theaters":
		return "theatre"
	case "travelled", "travelling", "traveller":
		return "travel"
	case "tire", "tires":
		return "tyre"
	case "vapor":
		return "vapour"
	case "yogurt":
		return "yoghurt"
	case "ok":
		return "okay"
	case "bye":
		return "goodbye"
	case "photos", "photograph", "photographs", "pic", "pics":
		return "photo"
	case "neighborhood", "neighborhoods":
		return "neighbourhood"
	}
	return word
}
