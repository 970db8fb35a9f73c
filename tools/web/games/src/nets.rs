//! Nets by their games and names, which JavaScript gives.

use std::cell::RefCell;
use std::collections::BTreeMap;

use tavli::Tier;
use tavli::games::{
    AnyDecisionError, AnyEvaluator, AnyNet, AnyPosition, PlayableGame, Visitor, default_net, remark_on_values,
    split_look_ahead, visit_other,
};
use tavli::text::Quoted;
use tavli_web_module::{Failure, Kind, bytes, remark};

use crate::positions::is_here;

thread_local! {
    /// By game and name.
    static NETS: RefCell<BTreeMap<(String, String), AnyNet>> = RefCell::default();
}

/// Takes the file of a net: `length` bytes in a row of numbers.
pub(crate) fn give(game: &str, name: &str, numbers: &[u64], length: usize) -> Result<(), Failure> {
    is_here(game)?;
    let start = AnyPosition::read_other(game, None, None)?;
    let net = start.net(Tier::best(), &bytes(numbers, length)).map_err(|error| {
        let name = Quoted::new(name);
        let message = format_args!("the file of '{name}' of {game}: {error}");
        Failure::new(Kind::Player, message)
    })?;
    NETS.with_borrow_mut(|nets| nets.insert((game.to_owned(), name.to_owned()), net));
    Ok(())
}

/// Remarks on values by a net that it visits the game of, if it has not learned the rules.
struct RemarkOnValues<'a> {
    net: &'a str,
    rules: &'a str,
}

impl Visitor for RemarkOnValues<'_> {
    type Output = ();

    fn visit<G: PlayableGame>(self) {
        let game = G::by_rules(self.rules, Tier::best(), 0);
        if let Some(found) = game.ok().and_then(|game| remark_on_values(&game, self.net, self.rules)) {
            remark(found);
        }
    }
}

/// A player that values positions: one of the game's evaluators, or a net.
#[derive(Debug)]
pub(crate) enum Player<'a> {
    OfGame(Option<&'a str>),
    Net(AnyNet, u32),
}

impl<'a> Player<'a> {
    /// The player of a text such as `tavli3d`, `strong` or `strong+2ply`; without a text the game's default net, or its
    /// first evaluator. Remarks on a net that has not learned the rules of the position.
    pub(crate) fn read(position: &AnyPosition, text: Option<&'a str>) -> Result<Player<'a>, Failure> {
        let player = Player::find(position, text)?;
        if let (Player::Net(..), Some(net)) = (&player, text.or(default_net(position.game()))) {
            let rules = position.rules();
            visit_other(position.game(), RemarkOnValues { net, rules }).expect("a position has one of the games");
        }
        Ok(player)
    }

    fn find(position: &AnyPosition, text: Option<&'a str>) -> Result<Player<'a>, Failure> {
        let net = |name: &str| {
            let key = (position.game().to_owned(), name.to_owned());
            NETS.with_borrow(|nets| nets.get(&key).cloned())
        };
        let Some(text) = text.or(default_net(position.game())) else {
            return Ok(Player::OfGame(None));
        };
        if let Some(net) = net(text) {
            return Ok(Player::Net(net, 0));
        }
        let Some((name, plies)) = split_look_ahead(text) else {
            return Ok(Player::OfGame(Some(text)));
        };
        let net = net(name).ok_or_else(|| unloaded(position, name))?;
        let plies = plies.parse().ok().filter(|&plies| plies > 0).ok_or_else(|| {
            let [plies, name] = [plies, name].map(Quoted::new);
            let message = format_args!("'+{plies}ply': write a number of plies from 1 on, such as {name}+1ply");
            Failure::new(Kind::Player, message)
        })?;
        Ok(Player::Net(net, plies))
    }

    /// The net of a game's decisions.
    pub(crate) fn default_net(position: &AnyPosition) -> Result<AnyNet, Failure> {
        let player = Player::read(position, None)?;
        match player {
            Player::Net(net, _) => Ok(net),
            Player::OfGame(Some(name)) => Err(unloaded(position, name)),
            Player::OfGame(None) => Err(AnyDecisionError::NoNets(position.game()).into()),
        }
    }

    pub(crate) fn evaluator(&self) -> AnyEvaluator<'_> {
        match self {
            Player::OfGame(name) => AnyEvaluator::OfGame(*name),
            Player::Net(net, plies) => AnyEvaluator::Net(net, *plies),
        }
    }

    pub(crate) fn plies(&self) -> u32 {
        match self {
            Player::OfGame(_) => 0,
            Player::Net(_, plies) => *plies,
        }
    }

    /// Adds to the failure of an unknown evaluator what JavaScript has: nets that are loaded first, and no tables.
    pub(crate) fn explain(&self, position: &AnyPosition, failure: Failure) -> Failure {
        match self {
            Player::OfGame(Some(name)) if failure.kind() == Kind::Player => {
                let remedy = if name.contains('+') {
                    "in JavaScript a net has +1ply or +2ply after its name, and nothing else".to_owned()
                } else if default_net(position.game()).is_some() && name.contains(char::is_alphabetic) {
                    format!("the net of a file is loaded first: {}", call(position, name))
                } else {
                    return failure;
                };
                Failure::new(Kind::Player, format_args!("{failure}; {remedy}"))
            }
            _ => failure,
        }
    }
}

/// The failure of a net that is not loaded.
fn unloaded(position: &AnyPosition, name: &str) -> Failure {
    let (quoted, game) = (Quoted::new(name), position.game());
    let message = format_args!("no net '{quoted}' of {game} is loaded: call {} first", call(position, name));
    Failure::new(Kind::Player, message)
}

/// The call that loads a net: one of the package, or another.
fn call(position: &AnyPosition, name: &str) -> String {
    let (game, built_in) = (position.game(), default_net(position.game()));
    match built_in {
        Some(built_in) if built_in == name => format!("loadPlayer(\"{game}\", \"{built_in}\")"),
        _ => format!("givePlayer(\"{game}\", \"{}\", BYTES)", Quoted::new(name)),
    }
}
