package search

import (
	"slices"
	"strings"
)

// nearPercent is what a word brings that stands for a word of the question, of what that
// one would bring. maxNear is how many words a question may have for others to stand for
// them: a text of hundreds of words meets what it is about in its own.
const (
	nearPercent = 40
	maxNear     = 64
)

// nearWords are words of everyday English and of software that may stand for each other
// in a question, a group a line, in base form. Of a line with a colon the words are
// sorts of the one before it: pet stands for dog and dog for pet, but not dog for cat.
// They are common knowledge, as in any thesaurus, and of no set of questions; a word too
// much costs little, as it counts less than half and no more than the question's own.
const nearWords = `
child kid son daughter toddler baby youngster
pet: dog cat puppy kitten hamster rabbit parrot goldfish guinea turtle horse
dog puppy pup doggo hound
cat kitten kitty
parent: mother father mum dad
mother mum mama
father dad papa
sibling: sister brother twin
grandparent: grandmother grandfather grandma grandpa granny
grandmother grandma granny nan
grandfather grandpa granddad
family: mother father sister brother aunt uncle cousin niece nephew son daughter wife husband parent grandmother grandfather
relative: mother father sister brother aunt uncle cousin niece nephew son daughter wife husband parent grandmother grandfather
wife husband spouse partner
boyfriend girlfriend partner
partner: wife husband boyfriend girlfriend fiance
marry marriage married wedding wed spouse
wedding: bride groom ceremony
engage engagement propose proposal fiance
divorce separate split breakup
friend buddy pal mate
colleague coworker workmate teammate
boss manager supervisor
neighbour neighborhood
person someone folk guy
man guy male gentleman
woman lady female
girl daughter
boy son
job work career occupation profession employment position role
company firm employer business corporation
business company shop startup store venture
office workplace
hire recruit employ
fire dismiss layoff sack
quit resign leave
retire retirement pension
salary pay wage income earn
promotion promote raise
interview application apply
begin start commence launch kick
end finish complete conclude stop
stop quit cease halt
continue resume proceed keep
buy purchase get acquire order pick
sell sale
price cost expense fee charge
cost price pay spend
cheap inexpensive affordable
expensive costly pricey
pay payment spend
money cash fund saving budget finance
finance fund loan bank mortgage
rent lease tenant landlord
possess belong
give donate gift present hand
receive get gain
lend loan borrow
owe debt
shop store market boutique supermarket
bill invoice
movie film cinema
film: comedy documentary thriller movie
show series episode tv
television tv
book novel read author
author writer novelist
write author compose
story tale novel
poem poetry poet
music song band concert album
song track tune melody
concert gig performance show festival
band group orchestra
instrument: guitar piano violin cello drum flute trumpet saxophone ukulele clarinet keyboard bass harp
sing singer song choir vocal
play game
game: chess card board puzzle video
toy game doll lego
sport: football soccer basketball tennis baseball swim run hockey volleyball golf rugby cricket yoga gym cycle ski surf boxing
soccer football
exercise workout gym training fitness
train training practise coach
run jog marathon race
race marathon competition
competition contest tournament championship
win victory prize award
award prize medal trophy
team squad
match game
climb climbing boulder
hike hiking trek trail walk
walk stroll hike
cycle bike bicycle
swim pool
ski snowboard
camp camping tent campfire
dance ballet salsa
hobby: paint pottery garden knit photography draw read hike bake cook sew chess
art painting drawing sculpture
art: paint draw sculpture pottery
paint painting painter canvas portrait
draw sketch drawing
pottery ceramic clay bowl
craft knit sew crochet
photo photograph photography camera shot
museum gallery exhibition exhibit
exhibition exhibit show display
design designer
make create build craft produce
build construct construction
fix repair mend resolve restore
break damage fail crash
damage harm break ruin
clean tidy wash
wash laundry clean
car vehicle truck van automobile
vehicle: car van truck motorbike motorcycle bus scooter
drive driver ride
motorbike motorcycle
bus coach
train railway rail station
plane flight fly aeroplane airport
flight fly plane airline
boat ship sail ferry
trip travel journey visit vacation holiday tour
vacation holiday trip getaway
holiday: christmas easter thanksgiving halloween
travel trip visit journey fly
visit see trip come stay
tour guide trip
hotel hostel lodging accommodation inn airbnb
stay live lodge
abroad overseas foreign
country: italy france spain germany japan china india mexico canada england scotland ireland portugal greece brazil
city town
city: paris london rome berlin tokyo madrid lisbon
town village
place location spot site venue
location place site
road street route
map route direction
beach sea ocean coast shore
lake river pond
mountain hill peak summit
forest wood tree
park garden playground
nature outdoors outdoor forest mountain
garden yard plant gardening
plant flower garden grow
flower: rose tulip sunflower lily daisy
flower bloom blossom
tree: oak pine apple birch maple
vegetable: tomato carrot potato onion cucumber pepper
fruit: apple banana berry strawberry orange pear cherry plum
house home apartment flat place
apartment flat condo
live reside home house stay
move relocate relocation
room: kitchen bedroom bathroom
bathroom toilet shower
furniture: table chair sofa desk bed shelf couch
sofa couch
elevator lift
stair floor step
floor storey level
garage parking
basement cellar
roof attic ceiling
wall fence
door gate entrance
key lock
food meal dish dinner lunch cuisine eat
meal dinner lunch breakfast supper dish
eat food meal dinner lunch diet
breakfast brunch
cook bake recipe kitchen chef
bake cake bread oven cookie
dessert sweet cake cookie chocolate
dish recipe meal
dish: pasta pizza soup curry salad stew sushi
cuisine: italian chinese japanese thai indian mexican french korean vietnamese greek
restaurant cafe diner bistro
cafe coffee
drink beverage
drink: coffee tea wine beer juice cocktail
alcohol: wine beer whisky vodka
vegetarian vegan meat
diet nutrition
allergy allergic
doctor physician hospital clinic
hospital clinic surgery
surgery operation
illness disease sick ill
illness: flu cold fever cancer diabetes asthma infection
sick ill unwell flu
injury hurt injure wound sprain
injury: ankle knee wrist break sprain fracture
hurt pain injure ache
pain ache sore hurt
health medical doctor
medicine medication drug pill
therapy therapist counsel counseling
therapist counselor psychologist
pregnant pregnancy expect baby
birth born baby
death die pass funeral
funeral burial
dead die
age old birthday
old ancient age elderly
young youth
birthday celebrate party
celebrate celebration anniversary party
anniversary year
event: concert festival wedding party parade conference workshop fair
fair market festival
conference convention summit meetup
class course lesson workshop
lesson class tutor
learn study teach
study learn research degree
research study investigate
school: college university kindergarten
school class teacher student
university college degree campus
degree diploma bachelor master phd graduate
graduate graduation degree
exam test quiz
teacher professor tutor instructor
teach teacher instruct
student pupil
language: spanish french german italian english japanese chinese portuguese russian korean arabic
volunteer charity
charity donate donation fundraiser nonprofit
organization organisation group charity
group club team
club group society
community group
church religion faith religious
religion: church faith christian muslim buddhist jewish
pray prayer
political politics election vote
government council mayor
law legal lawyer
lawyer attorney legal
police crime officer
crime theft steal rob
steal theft rob thief
war military army
soldier army military veteran
adopt adoption
help support assist aid
support help encourage
advice advise suggestion recommend suggest tip
recommend suggest recommendation advise
suggest propose recommend
idea concept
plan intend intention goal
goal dream aim ambition
dream hope wish goal
hope wish want
want wish like
like love enjoy favorite
love adore like
enjoy like love fun
favorite love prefer
prefer favorite rather
hate dislike loathe
interest interested passion
passion love interest
happy glad joy pleased
sad upset unhappy cry
angry mad furious upset
annoy irritate frustrate bother
afraid scared fear frightened terrified
fear afraid scared phobia worry
scare frighten fear
worry anxious nervous concern
nervous anxious stress
stress pressure overwhelm burnout
tired exhausted sleepy
relax unwind calm rest destress
calm peaceful relax
surprise unexpected shock
excited excite thrilled
proud pride
feel emotion feeling
grateful thankful appreciate
lonely alone
funny hilarious joke
laugh funny smile
boring dull
beautiful pretty gorgeous lovely
nice lovely good
good great nice
great awesome amazing wonderful fantastic
bad terrible poor horrible
hard difficult tough challenging
difficult challenge hard struggle
challenge difficulty obstacle struggle
problem issue trouble difficulty wrong
wrong problem error
easy simple
big large huge
small little tiny
fast quick rapid
slow sluggish
new recent
cold freezing chilly
hot warm heat
rain storm weather
weather: rain snow storm wind sunny
storm hurricane thunder
noise loud noisy
quiet silent
smell scent odor
clothes clothing outfit wear
wear clothes dress
clothes: shirt dress jacket coat shoe sweater
shoe boot sneaker
jewelry: necklace ring bracelet earring pendant
necklace pendant
bag backpack suitcase
phone mobile cell smartphone call
computer laptop pc
call phone ring
email mail message
message text email
letter mail postcard
talk speak chat discuss conversation
say tell mention
ask question request
answer reply respond response
meet encounter
invite invitation
join attend participate member
attend go join visit
go attend visit head
return back
leave depart
arrive come reach
bring carry take
send mail ship
find discover
search look seek
look see watch
watch see view
see notice spot
hide conceal
lose loss missing lost
miss lost
forget remember
remember recall memory
know familiar
think believe opinion
opinion think view
believe belief think faith
decide decision choose
choose choice pick select decide
change alter modify
become turn
grow growth raise
increase rise raise grow
decrease reduce drop
try attempt
succeed success achieve
achieve accomplish achievement reach
need require
allow permit
prevent stop
cause reason lead
reason cause
result outcome
happen occur
protect guard
cancel call
delay postpone late
postpone delay reschedule
wait delay
schedule calendar appointment
meeting appointment call
kind type sort
name call nickname
color: red blue green yellow purple pink black white orange brown grey
colour shade
number count
size big large
part piece
half part
color paint
often frequently regularly weekly daily
weekly week
daily day
monthly month
annual year
currently now
recently lately
weekend saturday sunday
morning breakfast
night evening
spring: april
summer: july august june
winter: december january february snow
autumn fall
season: spring summer autumn winter
inspire inspiration motivate
motivate motivation inspire
influence inspire impact
identity self
accident crash collision
emergency urgent
rescue shelter save
animal: dog cat horse bird rabbit cow sheep goat
bird: parrot owl eagle duck pigeon
farm farmer
insect: bee ant butterfly
bee hive honey beekeeper
fish fishing
collect collection gather
decorate decoration
renovate renovation remodel refurbish
renovation repair
kit tool
tool: hammer drill
machine device
device gadget
error failure bug exception fault
error: panic crash timeout
bug defect error issue
failure fail error crash
crash panic
fix patch correct
correct right fix
remove delete drop erase
delete remove purge erase
add insert append introduce
update upgrade refresh change
upgrade update migrate
migrate migration convert
convert transform migrate
rename move
replace substitute swap
config configuration setting option
configure config setup
setting preference option
option flag setting
flag option switch
parameter argument option
repo repository
directory folder dir
file document
path route
database db sql sqlite postgres store
store persist save
authentication login auth signin
authorization permission access
permission access right allow
credential secret token password
encrypt encryption cipher
secure security safe
security vulnerability secure
hostile malicious untrusted attack
attack exploit malicious
validate validation check verify
verify check confirm validate
check verify test inspect
test spec check
test: unit integration fuzz
ci pipeline build
deploy deployment release
release version publish ship
install setup installer
uninstall remove
build compile
run execute
launch start run
start boot launch
stop kill terminate shutdown
restart reboot reload
init initialize setup
function method procedure
class type
variable field
field property attribute
constant value
api endpoint interface
endpoint route url
url link address
server backend
client frontend
ui interface
screen display
terminal console shell
command cli
shell bash
script command
log logging trace
debug troubleshoot
monitor watch observe
event notification
notify notification alert
alert warn warning
queue backlog
lock mutex
concurrent concurrency parallel race
thread goroutine
process daemon
daemon service background
cache memo
memory ram
storage disk
performance speed fast slow latency
latency slow delay
optimize speed faster
timeout deadline expire
expire expiry timeout ttl
retry repeat
copy duplicate clone
backup snapshot
recover recovery restore
rollback revert undo
merge combine join
split divide separate
sort order rank
rank score
filter select
search query find lookup
query search question
index catalog
parse parser read
format layout
render draw
encode decode
serialize marshal
json yaml
schema structure
structure layout
dependency package library module
import require
branch fork
commit change
review approve
approve accept
deny refuse reject block
block deny prevent
forbid deny block
restrict limit
limit cap maximum bound
maximum limit max
minimum least min
quota limit
budget limit
size length
empty blank
missing absent
default fallback
template pattern
pattern glob
rule policy
govern rule
role permission
agent bot
hook callback
plugin extension
tool command
task job ticket
issue ticket problem
todo task
plan roadmap
summary overview
documentation doc readme manual
comment note
example sample
guide tutorial
history log
stale outdated obsolete
obsolete stale deprecated
deprecate obsolete
unused dead
leak memory
cleanup clean remove
simplify simple
refactor rewrite restructure
aunt uncle nephew niece
grandchild: grandson granddaughter grandparent grandfather grandmother
birth newborn deliver pregnant
newborn baby infant
adopt foster shelter rescue
sibling brother sister
teenager teen adolescent
adult grownup
roommate flatmate housemate
guest visitor host
stranger unknown
crowd audience public
audience listener viewer fan
fan supporter admirer
leader head chief captain
coach trainer mentor
mentor guide coach
expert specialist professional
beginner novice newcomer
artist painter sculptor musician
musician: singer guitarist pianist drummer violinist
actor actress star
nurse doctor hospital
dentist tooth
vet veterinarian animal
engineer developer programmer
developer programmer coder engineer
occupation: nurse teacher engineer librarian lawyer doctor carpenter driver accountant chef waiter
profession: nurse teacher engineer librarian lawyer doctor carpenter driver accountant chef waiter
carpenter wood furniture
driver drive bus taxi
librarian library book
farmer farm crop
crop harvest
harvest pick gather
seed sow plant
soil earth compost
weed garden
tool shed
barn stable shed
cow cattle milk
horse pony ride stable
sheep lamb wool
chicken hen egg
duck goose
wolf fox bear
whale dolphin shark
fish trout salmon catch
butterfly moth
spider insect
snake reptile lizard
breed: labrador poodle beagle terrier spaniel greyhound
injure break hurt fracture tear
break fracture snap
bone skeleton
muscle strain
head headache migraine
stomach belly nausea
heart cardiac
lung breath breathe asthma
eye vision sight glasses
glasses spectacles lens
ear hearing
skin rash
hair haircut
beard moustache shave
tattoo ink
weight kilo pound heavy
height tall
tall height high
strong strength powerful
weak weakness fragile
healthy health fit
fitness fit exercise
treatment therapy surgery medication cure heal remedy
heal recover cure
recover recovery heal rehab
rehab physiotherapy physio therapy
physiotherapist physio
cancer tumor chemo
depression depressed
mental psychological mind
anxiety anxious panic
mood feeling
addiction alcohol drug
smoke cigarette
sober alcohol
sleep bed nap rest insomnia
awake wake
tired fatigue exhaustion
hungry hunger starve
thirsty thirst drink
taste flavour delicious
delicious tasty yummy
spicy hot chili
sweet sugar
salt salty
bread loaf bakery
bakery baker bread
cheese dairy
milk dairy
meat beef chicken pork lamb
seafood fish shrimp octopus
soup stew broth
vegetable veggie
snack chip crisp
candy sweet chocolate
pie tart cake pastry
pastry cake croissant tart
ice freeze
bottle jar
cup mug glass
plate dish bowl
knife blade
oven stove
fridge refrigerator
pot pan
barbecue grill bbq
picnic lunch park
recipe ingredient
restaurant waiter menu chef
bar pub
club nightclub
hotel room
luggage suitcase baggage
passport visa
visa residence permit
citizen citizenship nationality
immigrant immigration immigrate
native origin home
origin come native
roots ancestor heritage
culture tradition custom
tradition custom ritual
flag nation
nation country
border frontier
abroad foreign travel
tourist visitor traveller
backpack hike
road trip drive
traffic jam
crash collide hit
ticket seat
luck fortune lucky
airport terminal
island beach
river stream canal
lake swim
waterfall cascade
desert sand
valley canyon
cave cavern
volcano lava
sunset dusk
sunrise dawn
star astronomy telescope
moon lunar
sky cloud
snow winter blizzard
rain wet umbrella
wind windy breeze
fire flame burn
flood water
earthquake quake
energy power
electric electricity power
solar sun
environment climate nature ecology
recycle waste trash
trash garbage rubbish waste
pollution smog
wood timber lumber
metal iron steel
stone rock
gold golden
silver metal
glass window
paper sheet
plastic rubber
leather skin
cotton fabric cloth
fabric cloth textile
sew stitch needle
knit wool yarn
hat cap
scarf hat
sock shoe
glove mitten
suit tie
dress gown skirt
trousers pants jeans
shirt blouse
uniform outfit
costume outfit disguise
watch clock
clock time
alarm clock
lamp light
light lamp bright
dark darkness
candle light
mirror reflection
curtain blind
carpet rug
blanket quilt
pillow cushion
bed mattress
chair seat bench
table desk
shelf bookcase
drawer cabinet
box container
bin trash
broom sweep
vacuum clean
dust dirt
dirt mud soil
stain mark
paint colour
decorate paint ornament
ornament decoration
gift surprise birthday
card letter
wrap pack
pack luggage
store keep save
keep hold retain
collect gather hobby
collector collection
stamp coin
coin money
win prize lottery
bet gamble
chance opportunity
opportunity chance offer
offer propose deal
deal agreement contract
contract agreement sign
agree accept agreement
disagree argue
argue fight quarrel argument
argument quarrel fight dispute
fight struggle
apologise sorry forgive
forgive pardon
blame fault
guilty guilt
lie dishonest
honest truth
truth true fact
secret hide
trust believe rely
promise vow commit
betray cheat
jealous envy
kind generous nice
polite manners
rude impolite
shy timid
brave courage
lazy idle
busy occupied
patient patience
smart clever intelligent
stupid silly dumb
crazy mad insane
weird strange odd
strange weird unusual
unusual rare strange
common usual
usual normal typical
special particular
famous celebrity
celebrity famous star
popular favorite
important significant crucial
crucial essential important
useful helpful
useless pointless
possible maybe
probably likely
likely probable
certain sure
exact precise
wrong incorrect mistake
mistake error wrong
correct accurate
guess estimate
measure size
count total sum
average mean
double twice
single alone
couple pair two
dozen twelve
first initial begin
last final
next following
previous former earlier
early soon
soon shortly
immediately instantly
sudden unexpected
finally eventually
always forever
rarely seldom
sometimes occasionally
usually normally
distance far mile kilometre
near close nearby
close near shut
open unlock
push press
pull drag
lift raise carry
carry hold
drop fall
fall drop trip
jump leap
kick hit
hit strike beat
beat defeat win
defeat beat lose
throw toss
catch grab
touch feel
hug embrace kiss
shake tremble
point aim
turn rotate
follow chase
chase pursue
escape flee run
hunt chase
shoot gun
kill murder die
arrest police
prison jail
judge court
court judge trial
witness see
crime illegal
tax income
budget plan money
invest investment stock
profit gain earn
debt loan owe
bankrupt debt
insurance insure
property estate house
landlord owner
customer client buyer
seller vendor
advertise promote marketing
brand label
product item goods
item thing object
material stuff
stuff thing
factory plant manufacture
manufacture make factory
industry sector
economy economic
science scientific scientist
scientist researcher
experiment test trial
laboratory lab
chemistry chemical
biology biologist
physics physicist
math mathematics
history historical past
geography map
philosophy philosopher
essay paper article
article essay post
newspaper paper news press
news newspaper report
magazine journal
journal diary
blog post website
website site web page
internet online web
podcast radio
radio broadcast
video clip film
camera photo lens
picture photo image photograph
record album
album record music
concert tour
guitar guitarist string
piano pianist keyboard
violin violinist fiddle
drum drummer
flute whistle
genre: rock jazz pop classical folk blues hiphop metal
theatre play stage drama
stage perform
perform performance act
actor film play
opera sing
circus clown
magic trick
puzzle riddle
chess board
card deck
video game console
score goal
league championship
coach team
stadium arena
ball football
bat cricket
racket tennis
boat sail row
row paddle
paddle kayak canoe
surf wave
dive diver scuba
skate skateboard
yoga meditate
meditate meditation mindfulness
hike mountain
climb mountain
fishing fish rod
volunteer help
fundraise charity raise donate
charity hospice shelter foundation cancer
sponsor support fund
campaign drive
protest march demonstration
march parade
parade march pride
gay lesbian lgbtq queer
transgender trans transition
gender woman man
equality rights
race racial
refugee asylum
peace peaceful
religious church mosque temple
priest pastor
bible scripture
god faith
angel heaven
soul spirit
spirit ghost
ghost haunt
superstition luck
ceremony ritual
funeral grave cemetery
mourn grief grieve
grief loss mourn
memorial memory
tribute honour
honour award
career job promotion
intern internship
apprentice trainee
shift schedule
overtime work
remote home
freelance independent
union strike
resume cv
skill ability talent
talent gift skill
experience background
background history
certificate diploma qualification
scholarship grant
grant fund scholarship
thesis dissertation
homework assignment
assignment task homework
grade mark score
semester term
lecture class
classroom class
dormitory dorm
childhood child young
adulthood adult
elder old
retire pension old
century hundred
decade ten
era age
`

// near finds for each of the terms, which are sorted, those that may stand for it.
func (a *analyser) near(terms []wanted) {
	if len(terms) > maxNear {
		return
	}
	var pairs [1 << 16 / 64]uint64 // what terms begin with: few words of the table are worth a stem
	for i := range terms {
		if term := terms[i].term; len(term) > 1 {
			at := uint(term[0])<<8 | uint(term[1])
			pairs[at/64] |= 1 << (at % 64)
		}
	}
	for rest := nearWords[1:]; rest != ""; {
		var line string
		line, rest, _ = strings.Cut(rest, "\n")
		for from := 0; from+1 < len(line); {
			end := from + 1
			for end < len(line) && line[end] != ' ' {
				end++
			}
			at := uint(line[from])<<8 | uint(line[from+1])
			if pairs[at/64]&(1<<(at%64)) != 0 && mayBe(line[from:end], terms) {
				a.nearIn(line, line[from:end], terms)
			}
			from = end + 1
		}
	}
}

// mayBe reports whether one of the terms begins as a word does: of more than three letters
// no ending changes the first three.
func mayBe(word string, terms []wanted) bool {
	begin := word[:min(2, len(word))]
	if len(word) > 3 && word[3] != ':' {
		begin = word[:3]
	}
	return slices.ContainsFunc(terms, func(w wanted) bool { return strings.HasPrefix(w.term, begin) })
}

// nearIn takes the other words of a line for the term that one of them is.
func (a *analyser) nearIn(line, word string, terms []wanted) {
	isHead := strings.HasSuffix(word, ":")
	term := a.only(strings.TrimSuffix(word, ":"))
	at := place(terms, term)
	if at < 0 {
		return
	}
	head := ""
	if colon := strings.IndexByte(line, ':'); colon >= 0 {
		head, line = line[:colon], line[colon+1:]
		if !isHead {
			line = head
		}
	}
	for _, other := range strings.Fields(line) {
		if near := a.only(other); place(terms, near) < 0 {
			terms[at].addNear(near)
		}
	}
}

// only is the term of a single word.
func (a *analyser) only(word string) (term string) {
	a.analyse(word, func(t []byte, _ bool) { term = string(t) })
	return term
}

// place is where a term stands among sorted ones; -1 for nowhere.
func place(terms []wanted, term string) int {
	at, ok := slices.BinarySearchFunc(terms, term, func(w wanted, term string) int { return strings.Compare(w.term, term) })
	if !ok {
		return -1
	}
	return at
}

func (w *wanted) addNear(term string) {
	if !slices.Contains(w.near, term) {
		w.near = append(w.near, term)
	}
}
