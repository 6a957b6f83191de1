//! How to decode: as asked for, or as the model was made for; and whether the model can do that.

use tanglewood::System;
use tanglewood::system::Direction;
use tanglewood_nn::{About, Decoder, Method, Model};

use crate::arguments::{DecoderName, ParseArguments};
use crate::failure::Failure;

/// A way to decode.
pub struct Choice {
    pub decoder: DecoderName,
    pub system: System,
    pub direction: Direction,
}

impl Choice {
    pub fn new(arguments: &ParseArguments, model: &Model, about: &About) -> Result<Choice, Failure> {
        let usual = Decoder::of_model(model, about)?;
        let decoder = arguments.decoder.unwrap_or(match usual.method {
            Method::Greedy => DecoderName::Greedy,
            _ => DecoderName::Exact,
        });
        let of_transitions = model.options().scores_transitions() && decoder != DecoderName::Mst;
        let searches = matches!(decoder, DecoderName::Greedy | DecoderName::Beam(_));
        if arguments.nbest.is_some() && of_transitions {
            let message = "this is a model of transitions, for which there is no --nbest; take --decoder mst";
            return Err(Failure::Other(message.to_owned()));
        }
        if arguments.nbest.is_some() && searches {
            let message = "--nbest needs a decoder that knows what is best; take --decoder exact or mst";
            return Err(Failure::Other(message.to_owned()));
        }
        let system = arguments.system.clone().unwrap_or(usual.system);
        let learned = model.options().direction;
        let usual = match searches {
            _ if of_transitions => learned,
            true => Direction::Ltr,
            false => Direction::Either,
        };
        let direction = arguments.direction.unwrap_or(usual);
        if of_transitions && ![Direction::Either, direction].contains(&learned) {
            return Err(Failure::Other(format!(
                "this is a model of transitions, which learned to read {learned}; leave out --direction {direction}"
            )));
        }
        Ok(Choice { decoder, system, direction })
    }
}
